# Times zlib. The first lines are the texts in Base64, up to an empty line; each is
# answered by its encoded form. After that a line "ENCODER TEXT SECONDS" is answered by
# the nanoseconds that compressing the text with this encoder takes:
#   new     a new state for each text, as Python's zlib and most callers do
#   reused  one state, reset for each text, by calling the C library directly
import base64
import ctypes
import ctypes.util
import sys
import time
import zlib

BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="
PLANTUML = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_0"
FINISH, STREAM_END = 4, 1


class Stream(ctypes.Structure):
    _fields_ = [
        ("next_in", ctypes.c_char_p), ("avail_in", ctypes.c_uint), ("total_in", ctypes.c_ulong),
        ("next_out", ctypes.c_void_p), ("avail_out", ctypes.c_uint), ("total_out", ctypes.c_ulong),
        ("msg", ctypes.c_char_p), ("state", ctypes.c_void_p),
        ("zalloc", ctypes.c_void_p), ("zfree", ctypes.c_void_p), ("opaque", ctypes.c_void_p),
        ("data_type", ctypes.c_int), ("adler", ctypes.c_ulong), ("reserved", ctypes.c_ulong),
    ]


def fastest(step, seconds):
    """The time of one step, in batches long enough for the clock."""
    batch, best, end = 1, float("inf"), time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter_ns()
        for _ in range(batch):
            step()
        took = time.perf_counter_ns() - start
        best = min(best, took / batch)
        if took < 1_000_000:
            batch *= 2
    return best


def new(text, seconds):
    def step():
        stream = zlib.compressobj(9, zlib.DEFLATED, -15, 8)
        stream.compress(text)
        stream.flush()
    return fastest(step, seconds)


def reused(text, seconds):
    name = ctypes.util.find_library("z")
    if not name:
        return "skipped: no zlib library to load"
    library = ctypes.CDLL(name)
    library.zlibVersion.restype = ctypes.c_char_p
    if library.zlibVersion().decode() != zlib.ZLIB_RUNTIME_VERSION:
        return "skipped: the system's zlib is not Python's"
    stream, out = Stream(), ctypes.create_string_buffer(len(text) + 1000)
    where, at = ctypes.addressof(out), ctypes.byref(stream)
    size = ctypes.sizeof(Stream)
    if library.deflateInit2_(at, 9, zlib.DEFLATED, -15, 8, 0, library.zlibVersion(), size) != 0:
        return "skipped: zlib refuses its settings"
    reset, deflate, nothing = library.deflateReset, library.deflate, library.zlibCompileFlags

    def step():
        reset(at)
        stream.next_in, stream.avail_in, stream.next_out, stream.avail_out = text, len(text), where, len(out)
        deflate(at, FINISH)

    def overhead():
        nothing(at)
        stream.next_in, stream.avail_in, stream.next_out, stream.avail_out = text, len(text), where, len(out)
        nothing(at, FINISH)

    reset(at)
    stream.next_in, stream.avail_in, stream.next_out, stream.avail_out = text, len(text), where, len(out)
    if deflate(at, FINISH) != STREAM_END:
        return "skipped: zlib does not finish"
    took = fastest(step, seconds) - fastest(overhead, seconds / 4)
    library.deflateEnd(at)
    return took


def encode(text):
    stream = zlib.compressobj(9, zlib.DEFLATED, -15, 8)
    data = stream.compress(text) + stream.flush()
    data += bytes(-len(data) % 3)
    return base64.b64encode(data).decode().translate(str.maketrans(BASE64, PLANTUML))


texts = []
for line in iter(sys.stdin.readline, "\n"):
    texts.append(base64.b64decode(line))
    print(encode(texts[-1]), flush=True)
for line in sys.stdin:
    encoder, text, seconds = line.split()
    print({"new": new, "reused": reused}[encoder](texts[int(text)], float(seconds)), flush=True)
