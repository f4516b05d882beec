// What the page has asked of the server and not yet got: read by `settle` in driver.py.
//
// What a person does becomes a message to the server, "rerun the script", within the event that it causes. The server
// answers "a script begins" and "it has ended". A script that ends early is run again, on a busy server only later: the
// answer is still to come. A message is a protobuf, fields with numbers: see BackMsg and ForwardMsg in streamlit.proto.
{
  const RERUN = 11, BY_TIMER = 6; // BackMsg.rerun_script, ClientState.is_auto_rerun
  const BEGINS = 4, ENDED = 6, EARLY = 2; // ForwardMsg.new_session, .script_finished, FINISHED_EARLY_FOR_RERUN

  // The fields of a message, number → value or bytes. [0x08, 0x05, 0x12, 0x01, 0x61] → {1: 5, 2: [0x61]}
  function fields(bytes) {
    const found = {};
    let at = 0;
    const number = () => {
      let value = 0;
      for (let weight = 1; ; weight *= 128) {
        const byte = bytes[at++];
        value += (byte & 127) * weight;
        if (byte < 128) return value;
      }
    };
    while (at < bytes.length) {
      const tag = number();
      const value = number(); // or, of bytes, how many
      found[tag >> 3] = (tag & 7) === 2 ? bytes.subarray(at, (at += value)) : value;
    }
    return found;
  }

  window.reruns = { due: true, running: false };
  window.WebSocket = class extends WebSocket {
    constructor(...parameters) {
      super(...parameters);
      this.addEventListener("message", ({ data }) => {
        const message = fields(new Uint8Array(data));
        if (BEGINS in message) window.reruns = { due: false, running: true };
        if (ENDED in message) window.reruns.running = message[ENDED] === EARLY;
      });
    }

    send(bytes) {
      const rerun = fields(bytes)[RERUN];
      // A fragment that draws itself anew by a timer may be gone before it is answered, and nobody waits for it.
      if (rerun && !(BY_TIMER in fields(rerun))) window.reruns.due = true;
      super.send(bytes);
    }
  };

  // A page writes a new step or view into its address a moment after Streamlit asks for it: see page.js. It takes the
  // place of `history.pushState`, and calls what was there before or `history.replaceState`.
  window.address = { late: false };
  const written = (write) => (...entry) => {
    write.apply(history, entry);
    window.address.late = false;
  };
  const native = written(history.pushState);
  let ofPage = null;
  history.replaceState = written(history.replaceState);
  addEventListener("popstate", () => (window.address.late = false));
  Object.defineProperty(history, "pushState", {
    configurable: true,
    get: () => ofPage ?? native,
    set: (push) => {
      ofPage = (...entry) => {
        window.address.late = true;
        push(...entry);
      };
    },
  });
}
