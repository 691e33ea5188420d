
"use strict";
(() => {
  const pause = 250; // ms without a key before the text is sent
  const longAddress = 8000;
  const part = (id) => document.getElementById(id);
  const code = part("code"), result = part("result"), status = part("status"), figure = part("figure"), picture = part("picture");

  const base = new URL(".", location.href);
  for (const place of document.querySelectorAll(".base")) place.textContent = base.href;

  function say(text) {
    status.className = "";
    status.textContent = text;
  }

  // complain shows the name of an error, its message and what the table below
  // says about it.
  function complain(name, message) {
    const row = part(name);
    status.className = "failure";
    status.replaceChildren(Object.assign(document.createElement("code"), { textContent: name }), ": " + message);
    if (row) status.append(" (" + row.lastElementChild.textContent + ")");
  }

  function fail(name, message) {
    complain(name, message);
    result.hidden = true;
    part("length").textContent = "";
  }

  function succeed(url) {
    say("");
    part("url").textContent = url;
    part("open").href = url;
    part("length").textContent = url.length.toLocaleString("en") + " characters";
    part("long").hidden = url.length <= longAddress;
    result.hidden = result.inert = false;
  }

  function hidePicture() {
    figure.hidden = true;
    picture.removeAttribute("src");
  }

  let timer, running;

  function changed() {
    const bytes = new TextEncoder().encode(code.value).length;
    part("size").textContent = bytes.toLocaleString("en") + " of " + code.dataset.limit + " bytes";
    hidePicture(); // it is of the text before
    result.inert = true; // and so is the address
    clearTimeout(timer);
    if (running) running.abort();
    timer = setTimeout(encode, pause);
  }

  async function encode() {
    const turn = new AbortController();
    running = turn;
    try {
      const reply = await fetch(new URL("api/tools/encodePlantUML", base), {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ plantumlCode: code.value }),
        signal: turn.signal,
      });
      const answer = await reply.json();
      if (turn.signal.aborted) return;
      if (answer.success) succeed(answer.result.url);
      else fail(answer.error.code, answer.error.message);
    } catch (error) {
      if (!turn.signal.aborted) fail("NO_CONNECTION", "the service cannot be reached. Go on typing to try again.");
    }
  }

  async function copy() {
    const url = part("url");
    try {
      await navigator.clipboard.writeText(url.textContent);
      say("Copied.");
    } catch { // only pages of https and of this machine have a clipboard
      getSelection().selectAllChildren(url);
      say(document.execCommand("copy") ? "Copied." : "Selected: copy it with the keyboard.");
    }
  }

  code.addEventListener("input", changed);
  part("copy").addEventListener("click", copy);
  part("show").addEventListener("click", () => {
    say("Waiting for www.plantuml.com …");
    figure.hidden = false;
    picture.src = part("url").textContent;
  });
  picture.addEventListener("load", () => say(""));
  picture.addEventListener("error", () => {
    if (figure.hidden) return;
    hidePicture();
    complain("NO_PICTURE", "www.plantuml.com gave none. It cannot be reached, or the address is too long for it.");
  });
  changed();
})();
