// The start of a process, or a worker thread, of a service: NAME.js of a bundle is this file. The code is
// NAME.code.js beside it, and NAME.code.cache is what V8 made of that code when it was bundled
// (keep-compiled.ts): a start that parses and compiles megabytes again takes a third more of the processor. A
// cache of another code, version of Node or option of V8 is not used, and costs nothing else.
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { createRequire, wrap } from "node:module";
import { constants, Script } from "node:vm";

const file = __filename.replace(/\.js$/, ".code.js");

/** A cache file begins with the SHA-256 of its code, this many bytes. V8 itself compares only the code's length. */
const DIGEST_BYTES = 32;

const cacheOf = (code: Uint8Array): Buffer | undefined => {
  const path = file.replace(/\.js$/, ".cache");
  if (!existsSync(path)) return undefined;
  const bytes = readFileSync(path);
  const isOfCode = createHash("sha256").update(code).digest().equals(bytes.subarray(0, DIGEST_BYTES));
  return isOfCode ? bytes.subarray(DIGEST_BYTES) : undefined;
};

const launch = (): void => {
  const requireFrom = createRequire(file);
  // an operator who reads stacks by source maps has Node load the file, which knows of its map then
  if (process.sourceMapsEnabled) return void requireFrom(file);
  const code = readFileSync(file);
  const cachedData = cacheOf(code);
  const script = new Script(wrap(code.toString("utf8")), {
    filename: file,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
  const own = { exports: {} };
  script.runInThisContext()(own.exports, requireFrom, own, file, __dirname);
};

launch();
