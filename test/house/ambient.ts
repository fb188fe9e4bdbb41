import { codeOf } from "./code-text.ts";
import { importsOf, isTest, type SourceFile } from "./source-files.ts";

/** Code that runs in the simulator as well as in a process: it takes time and randomness from its World. */
const ROOMS = [
  "packages/gateway/src/",
  "packages/orchestrator/src/",
  "packages/signer/src/",
  "packages/platform/src/coordination/",
  "packages/platform/src/loop.ts",
  "packages/platform/src/postgres/",
  "packages/chains/src/",
];

const AMBIENT: readonly (readonly [string, RegExp])[] = [
  [
    "the clock",
    /\bDate\.now\b|\bnew Date(?:\(\s*\)|\b(?!\())|(?<!new )\bDate\(|\bperformance\b|\bhrtime\b|\buptime\b/,
  ],
  ["a timer", /\bset(?:Timeout|Interval|Immediate)\b|\bAbortSignal\.timeout\b/],
  [
    "randomness",
    /\bMath\.random\b|\bgetRandomValues\b|\brandom(?:Bytes|UUID|Int|Fill|FillSync)\b|\bgenerateKeyPair(?:Sync)?\b/,
  ],
  ["the world of a process", /\bprocessWorld\b/],
  ["the network", /(?<![.\w])fetch\s*\(|\bglobalThis\.fetch\b/],
];
const TIMERS = /^(?:node:)?timers(?:\/promises)?$/;
/** `freshId` of the platform, which draws from the system's randomness */
const DRAWS = /\bimport\b[^;]*[{,\s]freshId\b[^;]*\bfrom\s+"(?:@conclave\/platform|[./]+\/fresh-id\.ts)"/;

/** Code that a process and a simulated world compose of parts: the parts alone reach outside. */
const ASSEMBLED = [
  "packages/gateway/src/",
  "packages/orchestrator/src/assembly/",
  "packages/signer/src/assembly/",
];
/** modules that open sockets, files, threads or processes, or sign on threads of their own */
const OUTSIDE =
  /^node:(?:fs|net|http|https|http2|tls|dns|dgram|child_process|cluster|worker_threads|os|process)(?:\/|$)|^(?:workerpool|pg|jose|undici|@hono\/node-server|classic-level)$|^@(?:grpc|nats-io)\//;
/** functions of the platform that do so */
const OPENERS =
  /\bimport\b[^;]*[{,\s](openDatabase|connectBus|makeSender|isPrivateTarget|collectProcessMetrics|load[A-Z]\w+|readJsonFile|readEnvironment|withSecretFiles|makeTokenVerifier|issue(?:Action|Challenge)?Token|read(?:Action|Challenge)Token)\b[^;]*\bfrom\s+"@conclave\/platform/;
const PROCESS = /(?<![.\w])process\.\w/;

/** A sentence for each way in which a file reaches outside of its process by itself. */
export const opensByItself = (
  files: readonly SourceFile[],
  reasons: Readonly<Record<string, string>> = {},
): readonly string[] =>
  files
    .filter(({ path }) => ASSEMBLED.some((room) => path.startsWith(room)) && !isTest(path))
    .filter(({ path }) => !path.includes("/src/fuzz/") && reasons[path] === undefined)
    .flatMap((file) => {
      const modules = importsOf(file).filter((specifier) => OUTSIDE.test(specifier));
      const opener = OPENERS.exec(file.text)?.[1];
      const found = [
        ...modules,
        ...(opener === undefined ? [] : [opener]),
        ...(PROCESS.test(codeOf(file.text)) ? ["the process"] : []),
      ];
      return found.map((name) => `${file.path} reaches outside by ${name}; a part does that`);
    });

/** A sentence for each ambient input that a file uses instead of its World. */
export const reachesPastItsWorld = (
  files: readonly SourceFile[],
  reasons: Readonly<Record<string, string>> = {},
): readonly string[] =>
  files
    .filter(({ path }) => ROOMS.some((room) => path.startsWith(room)) && !isTest(path))
    .filter(({ path }) => reasons[path] === undefined)
    .flatMap(reachesOf);

const reachesOf = (file: SourceFile): readonly string[] => {
  const code = codeOf(file.text);
  const found = AMBIENT.filter(([, pattern]) => pattern.test(code)).map(([name]) => name);
  const timers = importsOf(file).some((specifier) => TIMERS.test(specifier)) ? ["timers"] : [];
  const draws = DRAWS.test(file.text) ? ["ids of the system's randomness"] : [];
  return [...found, ...timers, ...draws].map(
    (name) => `${file.path} reaches for ${name}; it has a World for that`,
  );
};
