import { join, normalize } from "node:path/posix";
import { codeOf } from "./code-text.ts";
import { importsOf, isTest, type SourceFile } from "./source-files.ts";

/** The only pure file that may call node:crypto, for deterministic big-integer arithmetic. */
const ARITHMETIC = "packages/threshold/src/arithmetic/openssl.ts";
const TYPES_OF_ARITHMETIC = "packages/threshold/src/arithmetic/node-crypto.d.ts";

const LIBRARIES = /^(@noble\/(curves|hashes|ciphers)(\/|$)|@scure\/base$|zod$)/;
/** Entry points of chain libraries that only calculate. A new family adds its own. */
const CALCULATING_ENTRIES = new Set(["algorand-msgpack", "viem/utils"]);
/** Libraries whose types pure files may import, except types of clients and transports, which belong to the node. */
const TYPED_LIBRARIES = new Set(["viem"]);
const OF_A_NODE = /Client|Transport/;

/** The file of `chains` that connects nodes; each family has its own besides. */
const CONNECTS_NODES = "packages/chains/src/node.ts";
const CHAINS = "packages/chains/src/";

const AMBIENT: readonly (readonly [string, RegExp])[] = [
  ["the clock", /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\b/],
  ["ambient randomness", /\bMath\.random\b|\bgetRandomValues\b|\brandomBytes\s*\(/],
  ["the environment", /\bprocess\s*\./],
  ["a timer", /\bset(Timeout|Interval|Immediate)\b/],
  ["the console", /\bconsole\s*\./],
  ["the network", /\bfetch\s*\(/],
];

const isOfNode = (path: string): boolean =>
  path === CONNECTS_NODES || new RegExp(`^${CHAINS}[^/]+/node(/|\\.ts$)`).test(path);

/** The parts of a simulated ledger that speak HTTP or write files; the rest is `(state, event) → (state', effects)`. */
const SERVES_A_LEDGER = /^packages\/ledgers\/src\/([^/]+\/)?(http|journal)\//;
const LEDGERS = "packages/ledgers/src/";
const STELLAR_TYPES = "@stellar/stellar-base/lib/generated/curr_generated.js";
/**
 * A chain's own deterministic runtime, the code that builds its input, or its SDK's codec. Each may be imported in one folder
 * or file of its ledger.
 */
const ENGINES: Readonly<Record<string, ReadonlySet<string>>> = {
  "packages/ledgers/src/algorand/msgpack.ts": new Set(["algorand-msgpack"]),
  "packages/ledgers/src/bitcoin/transaction/": new Set(["@scure/btc-signer/script.js"]),
  "packages/ledgers/src/solana/engine/": new Set(["litesvm", "@solana/kit"]),
  "packages/ledgers/src/solana/wire/": new Set(["@solana/kit"]),
  "packages/ledgers/src/stellar/xdr/sdk.ts": new Set([STELLAR_TYPES]),
  "packages/ledgers/src/stellar/xdr/generated.d.ts": new Set(["@stellar/stellar-base"]),
  "packages/ledgers/src/xrpl/transaction/codec.ts": new Set(["ripple-binary-codec/dist/binary.js"]),
  "packages/ledgers/src/tron/engine/": new Set([
    "@ethereumjs/common",
    "@ethereumjs/evm",
    "@ethereumjs/statemanager",
    "@ethereumjs/util",
  ]),
};
const isEngine = (path: string, specifier: string): boolean =>
  Object.entries(ENGINES).some(([folder, libraries]) => path.startsWith(folder) && libraries.has(specifier));
/** re-exports the pure part and the HTTP part */
const LEDGERS_INDEX = `${LEDGERS}index.ts`;

/** Whether a file must be pure: all of the pure packages, `chains` without its nodes, `ledgers` without HTTP and files. */
export const isPure = (path: string): boolean =>
  !isTest(path) &&
  (/^packages\/(threshold|cluster|custody|chaos)\/src\//.test(path) ||
    (path.startsWith(LEDGERS) && path !== LEDGERS_INDEX && !SERVES_A_LEDGER.test(path)) ||
    (path.startsWith(CHAINS) && !isOfNode(path)));

/** A sentence for each forbidden input of a pure file. */
export const impurities = (files: readonly SourceFile[]): readonly string[] =>
  files.filter(({ path }) => isPure(path)).flatMap((file) => [...ambient(file), ...foreign(file)]);

const ambient = ({ path, text }: SourceFile): readonly string[] => {
  const code = codeOf(text);
  return AMBIENT.filter(([, pattern]) => pattern.test(code)).map(
    ([name]) => `${path} reaches for ${name}; a pure file has it handed in`,
  );
};

const foreign = (file: SourceFile): readonly string[] => {
  const isChain = file.path.startsWith(CHAINS);
  return importsOf(file).flatMap((specifier) => {
    const line = `${file.path} imports ${specifier}`;
    if (specifier.startsWith(".")) {
      const target = normalize(join(file.path, "..", specifier));
      if (SERVES_A_LEDGER.test(target))
        return [`${line}; a pure file of ledgers knows neither HTTP nor files`];
      return isOfNode(target) ? [`${line}; a pure file of chains does not know the node`] : [];
    }
    if (specifier.startsWith("@conclave/")) {
      return specifier === "@conclave/chains/node" ? [`${line}; a pure file does not know the node`] : [];
    }
    if (specifier.startsWith("node:")) {
      const mayCallNode = file.path === ARITHMETIC || file.path === TYPES_OF_ARITHMETIC;
      return mayCallNode ? [] : [`${line}; among pure files only ${ARITHMETIC} may call Node`];
    }
    if (LIBRARIES.test(specifier) || isEngine(file.path, specifier)) return [];
    if (!isChain) return [`${line}; a pure package takes noble, scure and zod only`];
    if (CALCULATING_ENTRIES.has(specifier) || namesTypesOnly(file.text, specifier)) return [];
    return [`${line}; outside node a chain takes the entries of its library that only calculate`];
  });
};

/** Whether a file imports only types from a library, and none of a client or transport. */
const namesTypesOnly = (text: string, specifier: string): boolean => {
  if (!TYPED_LIBRARIES.has(specifier)) return false;
  const statements = [...text.matchAll(/\b(?:import|export)\b([^;"]*)\bfrom\s+"([^"]+)"/g)];
  return statements
    .filter((match) => match[2] === specifier)
    .every((match) => /^\s+type\b/.test(match[1] ?? "") && !OF_A_NODE.test(match[1] ?? ""));
};
