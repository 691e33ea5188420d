# Answers each input with its raw DEFLATE stream as the zlib of this Python
# writes it. Inputs and answers are preceded by their length in four bytes, the
# highest first; the first answer is zlib's version.
import struct
import sys
import zlib

stdin, stdout = sys.stdin.buffer, sys.stdout.buffer


def answer(data):
    stdout.write(struct.pack(">I", len(data)) + data)
    stdout.flush()


answer(zlib.ZLIB_RUNTIME_VERSION.encode())
while length := stdin.read(4):
    text = stdin.read(struct.unpack(">I", length)[0])
    stream = zlib.compressobj(9, zlib.DEFLATED, -15, 8, zlib.Z_DEFAULT_STRATEGY)
    answer(stream.compress(text) + stream.flush())
