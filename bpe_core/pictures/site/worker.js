// The worker: Python with the engine. Pyodide's own two scripts stand before this one in the same file (see engine.js).
//
// Pyodide fetches its other files by name. Here `fetch` gives it the bytes that the page has fetched and checked, and
// nothing else: so the worker sends no request.

/** @typedef {Record<string, Uint8Array<ArrayBuffer> | string>} Files by name */

const NOWHERE = "https://checked.invalid/"; // where Pyodide takes its files to be
const TYPES = new Map([["wasm", "application/wasm"], ["json", "application/json"]]); // others are bytes
const PACKAGE = "/engine/bpe_core";
/** @type {any} */
let python = null;
/** @type {any} */
let tab = null;

const ACTS = {
  /** @param {{ files: Files, engine: Uint8Array<ArrayBuffer> }} given */
  async start({ files, engine }) {
    /** @type {any} */
    const scope = globalThis;
    scope.fetch = (/** @type {string | Request} */ asked) => {
      const name = String(asked instanceof Request ? asked.url : asked).split("/").at(-1) ?? "";
      if (!files[name]) return Promise.reject(new Error(`${name} is not among the files of this page`));
      const type = TYPES.get(name.split(".").at(-1) ?? "") ?? "application/octet-stream";
      return Promise.resolve(new Response(files[name], { headers: { "Content-Type": type } }));
    };
    python = await scope.loadPyodide({ indexURL: NOWHERE, packages: ["numpy"] });
    python.unpackArchive(engine, "zip", { extractDir: "/engine" });
    python.runPython("import sys; sys.path.insert(0, '/engine'); sys.dont_write_bytecode = True");
    tab = python.pyimport("bpe_core.pictures.site.in_tab");
    for (const name of Object.keys(files)) delete files[name];
  },
  /** Put the table of a vocabulary where the engine looks for it. @param {{ name: string, content: Uint8Array }} given */
  put({ name, content }) {
    python.FS.writeFile(`${PACKAGE}/published/${name}`, content);
  },
  /** @param {{ thing: string, name: string, parameters: string }} given */
  ask({ thing, name, parameters }) {
    return tab.ask(thing, name, parameters);
  },
};

addEventListener("message", async ({ data: { number, act, given } }) => {
  try {
    postMessage({ number, found: await ACTS[/** @type {keyof typeof ACTS} */ (act)](given) });
  } catch (error) {
    postMessage({ number, error: String(error instanceof Error ? error.message : error) });
  }
});
