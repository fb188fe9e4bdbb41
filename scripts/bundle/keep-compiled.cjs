"use strict";
// node [options of V8] scripts/bundle/keep-compiled.cjs DIST/bundle/NAME.js: keeps what V8 makes of the code of a bundle, for launch.cjs.
// The options have to be those of the process that will run it. The code runs once, with no settings: what it has called until it says
// that they are missing is what every start calls, and is kept compiled. The rest is compiled when it is called first, as ever.
const { createHash } = require("node:crypto");
const { readFileSync, writeFileSync } = require("node:fs");
const { resolve } = require("node:path");
const vm = require("node:vm");

/** None takes so long to miss its settings. */
const DEADLINE_MS = 10_000;

const main = resolve(process.argv[2]);
const code = main.replace(/\.js$/, ".code.js");

/** The scripts that the launcher makes: one. */
const scripts = [];
vm.Script = class extends vm.Script {
  constructor(source, options) {
    super(source, options);
    scripts.push(this);
  }
};

process.on("exit", () => {
  const digest = createHash("sha256").update(readFileSync(code)).digest();
  writeFileSync(
    code.replace(/\.js$/, ".cache"),
    Buffer.concat([digest, ...scripts.map((script) => script.createCachedData())]),
  );
  process.exitCode = scripts.length === 1 ? 0 : 1;
});
// a worker misses whoever starts it
process.on("uncaughtException", () => process.exit());
setTimeout(() => process.exit(), DEADLINE_MS).unref();
for (const name of Object.keys(process.env)) delete process.env[name];
process.stderr.write = () => true;
process.stdout.write = () => true;
require(main);
