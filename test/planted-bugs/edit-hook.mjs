import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/** A hook of Node's loader: a source that a planted bug edits is loaded with its edits. No file on disk changes. */

/** @type {readonly { readonly url: string, readonly find: string, readonly put: string }[]} */
let edits = [];

/** @param given the edits of one bug */
export const initialize = (given) => {
  edits = given;
};

export const load = async (url, context, nextLoad) => {
  const [plain] = url.split("?");
  const own = edits.filter((edit) => edit.url === plain);
  if (own.length === 0) return nextLoad(url, context);
  let source = await readFile(fileURLToPath(plain), "utf8");
  for (const { find, put } of own) {
    const parts = source.split(find);
    if (parts.length !== 2) throw new Error(`${plain}: the text of an edit occurs ${parts.length - 1} times`);
    source = parts.join(put);
  }
  return { format: "module", source, shortCircuit: true };
};
