// Run a script in Pyodide: node pyodide.mjs DISTRIBUTION SCRIPT [NAME=FOLDER]…; the folders are seen as /NAME.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [distribution, script, ...folders] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${distribution}/pyodide.mjs`).href);
const python = await loadPyodide({ indexURL: `${distribution}/` });
await python.loadPackage("numpy");
for (const [name, root] of folders.map((each) => each.split("="))) {
  python.FS.mkdir(`/${name}`);
  python.FS.mount(python.FS.filesystems.NODEFS, { root }, `/${name}`);
}
await python.runPythonAsync(readFileSync(script, "utf8"));
