import type { EditedFile } from "../edit.ts";

const CUSTODY = "packages/custody/src";
const CHAINS = "packages/chains/src";
const GATEWAY = "packages/gateway/src";
const ORCHESTRATOR = "packages/orchestrator/src";
const PLATFORM = "packages/platform/src";

const oversized = [`${GATEWAY}/oversized-values.test.ts`];

const typedData = [`${CUSTODY}/signature/typed-data.test.ts`];

/** The advice to a Bitcoin wallet whose coins one transaction cannot spend works. */
const ADVICE_EDITS: readonly EditedFile[] = [
  {
    path: `${CHAINS}/bitcoin/why-short.ts`,
    tests: [`${CHAINS}/bitcoin/many-coins.test.ts`],
    edits: [
      {
        weakens: "to gather is advised where it works",
        find: 'gathering.kind === "gathered" || gathering.bound !== "bytes"',
        put: "gathering.kind.length > 0",
      },
      {
        weakens: "a coin is sent to the wallet itself where no two fit",
        find: 'gathering.kind === "gathered" || gathering.bound !== "bytes"',
        put: "gathering.kind.length === 0",
      },
    ],
  },
  {
    path: `${CHAINS}/bitcoin/coins/choose.ts`,
    tests: [`${CHAINS}/bitcoin/many-coins.test.ts`],
    edits: [
      {
        weakens: "a gathering says that coins do not fit",
        find: "full = gathered.take(coin) ?? full;",
        put: "gathered.take(coin);",
      },
      {
        weakens: "a coin that is advised by itself fits by itself",
        find: ".filter((coin) => new CoinsInOne(alone).take(coin) === undefined)",
        put: "",
      },
    ],
  },
];

const replaced = [`${GATEWAY}/chain-request/many-replacements.test.ts`];

/** A place is taken so many times, and what works then is named. */
const REPLACEMENT_EDITS: readonly EditedFile[] = [
  {
    path: `${CUSTODY}/chain-request/replacement-room.ts`,
    tests: replaced,
    edits: [
      {
        weakens: "a place is cancelled once more, and not again",
        find: 'replacements === REPLACEMENTS_MAX ? "cancellation" : "none"',
        put: '"cancellation"',
      },
      {
        weakens: "a full place is for a cancellation alone",
        find: '(room === "cancellation" && !isCancellation)',
        put: 'room === "never"',
      },
    ],
  },
  {
    path: `${GATEWAY}/chain-request/create-transaction.ts`,
    tests: replaced,
    edits: [
      {
        weakens: "a caller's own transaction takes no place that is full",
        find: "    if (!room.ok) return room;\n",
        put: "",
      },
    ],
  },
  {
    path: `${GATEWAY}/fee-bump/bump-request.ts`,
    tests: replaced,
    edits: [
      {
        weakens: "the service takes no place that is full",
        find: "return room.ok ? feeBidOf",
        put: "return room !== undefined ? feeBidOf",
      },
    ],
  },
];

const orchestratorSweeps = [`${ORCHESTRATOR}/unreadable-sweeps.test.ts`];

/** A record that cannot be read stops nothing that a service does by itself for others. */
const SWEEP_EDITS: readonly EditedFile[] = [
  {
    path: `${PLATFORM}/postgres/requests/due-authorisations.ts`,
    tests: [`${GATEWAY}/fuzz/unreadable-sweeps.test.ts`],
    edits: [
      {
        weakens: "an authorisation that cannot be read is passed over",
        find: "await connection.listed(\n    DUE[table],",
        put: "await connection.rows(\n    DUE[table],",
      },
    ],
  },
  {
    path: `${ORCHESTRATOR}/approvals.ts`,
    tests: orchestratorSweeps,
    edits: [
      {
        weakens: "an approval that cannot be ended keeps no others waiting",
        find: "        if (err instanceof Outage) throw err;\n",
        put: "        if (err instanceof Error) throw err;\n",
      },
    ],
  },
  {
    path: `${ORCHESTRATOR}/queue/note-waiting.ts`,
    tests: orchestratorSweeps,
    edits: [
      {
        weakens: "a request that cannot be read lets others tell why they wait",
        find: "        if (err instanceof Outage) throw err;\n",
        put: "        if (err instanceof Error) throw err;\n",
      },
    ],
  },
];

/** Bodies that callers choose. */
const BODY_EDITS: readonly EditedFile[] = [
  {
    path: `${CUSTODY}/signature/typed-data.ts`,
    tests: oversized,
    edits: [
      { weakens: "typed data has so many structs", find: "STRUCTS_MAX = 64;", put: "STRUCTS_MAX = 65;" },
      {
        weakens: "a struct has so many fields",
        find: "FIELDS_PER_STRUCT_MAX = 64;",
        put: "FIELDS_PER_STRUCT_MAX = 65;",
      },
      {
        weakens: "the name of a struct is so long",
        find: "const structName = z\n  .string()\n  .max(NAME_LENGTH_MAX)\n",
        put: "const structName = z\n  .string()\n",
      },
      {
        weakens: "the name of a field is so long",
        find: "const name = z\n  .string()\n  .max(NAME_LENGTH_MAX)\n",
        put: "const name = z\n  .string()\n",
      },
      { weakens: "a type is so long", find: "    .max(TYPE_LENGTH_MAX)\n", put: "" },
      { weakens: "lists of lists are four deep", find: "){0,4}$/", put: "){0,5}$/" },
      { weakens: "a message is so deep", find: "DEPTH_MAX = 16;", put: "DEPTH_MAX = 17;" },
      { weakens: "the values of a list count", find: "  room.values -= 1;\n", put: "  room.values -= 0;\n" },
      {
        weakens: "a message has so much text",
        find: "MESSAGE_BYTES_MAX = 48 * 1024;",
        put: "MESSAGE_BYTES_MAX = 49 * 1024;",
      },
      {
        weakens: "the types together are so long",
        find: "TYPES_LENGTH_MAX = 16 * 1024;",
        put: "TYPES_LENGTH_MAX = 32 * 1024;",
      },
      { weakens: "a domain's name is so long", find: "    name: domainText.", put: "    name: z.string()." },
      {
        weakens: "a domain's version is so long",
        find: "    version: domainText.",
        put: "    version: z.string().",
      },
      {
        weakens: "a domain's texts are so long",
        find: "DOMAIN_TEXT_MAX = 256;",
        put: "DOMAIN_TEXT_MAX = 257;",
      },
      {
        weakens: "a text that JSON lengthens counts as JSON writes it",
        find: "/^[ !#-[\\]-~]*$/",
        put: "/^[ -~]*$/",
        tests: typedData,
      },
      { weakens: "the quotes of a text count", find: "QUOTES = 2;", put: "QUOTES = 1;", tests: typedData },
    ],
  },
  {
    path: `${CUSTODY}/text.ts`,
    tests: [`${CUSTODY}/text.test.ts`],
    edits: [
      { weakens: "half a pair is no text", find: " && text.isWellFormed()", put: "" },
      { weakens: "a NUL is no text", find: `!text.includes("\\0") && `, put: "" },
      { weakens: "no text of a list is empty", find: "text.length < 1 || ", put: "" },
      { weakens: "no text of a list is too long", find: "text.length > most || ", put: "" },
      { weakens: "each text of a list can be stored", find: " || !isPlainText(text)", put: "" },
      { weakens: "a list has so many texts", find: "    .max(mostTexts)\n", put: "" },
    ],
  },
  {
    path: `${CUSTODY}/policies/policy-body.ts`,
    tests: oversized,
    edits: [
      { weakens: "names are so long", find: "NAME_LENGTH = 100;", put: "NAME_LENGTH = 101;" },
      {
        weakens: "the name of a group is so long",
        find: "name: shortText(NAME_LENGTH).optional()",
        put: "name: z.string().optional()",
      },
      {
        weakens: "a tag is so long",
        find: "z.array(shortText(NAME_LENGTH)).max(MOST_TAGS)",
        put: "z.array(z.string()).max(MOST_TAGS)",
      },
      { weakens: "an address is so long", find: "ADDRESS_LENGTH = 256;", put: "ADDRESS_LENGTH = 257;" },
      {
        weakens: "a whitelist has so many addresses",
        find: "MOST_ADDRESSES = 10_000;",
        put: "MOST_ADDRESSES = 10_001;",
      },
      {
        weakens: "a group has so many approvers",
        find: "z.array(userIdSchema).min(1).max(MOST_APPROVERS)",
        put: "z.array(userIdSchema).min(1)",
      },
      {
        weakens: "a quorum is so large",
        find: "quorum: z.int().min(1).max(MOST_APPROVERS)",
        put: "quorum: z.int().min(1)",
      },
      { weakens: "a policy has so many groups", find: "MOST_GROUPS = 50;", put: "MOST_GROUPS = 51;" },
      { weakens: "a filter has so many ids", find: "MOST_FILTERED = 1_000;", put: "MOST_FILTERED = 1_001;" },
      {
        weakens: "a filter has so many wallets",
        find: "z.array(walletIdSchema).max(MOST_FILTERED)",
        put: "z.array(walletIdSchema)",
      },
      {
        weakens: "a filter has so many policies",
        find: "z.array(policyIdSchema).max(MOST_FILTERED)",
        put: "z.array(policyIdSchema)",
      },
      {
        weakens: "a filter has so many permissions",
        find: "z.array(permissionIdSchema).max(MOST_FILTERED)",
        put: "z.array(permissionIdSchema)",
      },
      { weakens: "a filter has so many tags", find: "MOST_TAGS = 100;", put: "MOST_TAGS = 101;" },
    ],
  },
  {
    path: `${GATEWAY}/policy/policy-room.ts`,
    tests: [`${GATEWAY}/routes/policies/policy-room.test.ts`],
    edits: [
      {
        weakens: "an organisation has so many policies",
        find: "count < MOST_POLICIES &&",
        put: "count <= MOST_POLICIES &&",
        tests: oversized,
      },
      {
        weakens: "its policies are so long together",
        find: "MOST_LENGTH = 1_048_576;",
        put: "MOST_LENGTH = 2_097_152;",
      },
      {
        weakens: "policies that are there count",
        find: "length + JSON.stringify(body).length",
        put: "JSON.stringify(body).length",
      },
      {
        weakens: "the length of the new one counts",
        find: "length + JSON.stringify(body).length",
        put: "length",
      },
    ],
  },
  {
    path: `${GATEWAY}/policy/policy-change.ts`,
    tests: [`${GATEWAY}/routes/policies/policy-room.test.ts`],
    edits: [
      {
        weakens: "there is room for a policy that is changed",
        find: "    if (!fits.ok) return fits;\n    const guarded",
        put: "    const guarded",
      },
      {
        weakens: "there is room for a change once people approve it",
        find: "  if (!fits.ok) return fits;\n  await updatePolicy",
        put: "  await updatePolicy",
      },
    ],
  },
  {
    path: `${GATEWAY}/http/pagination.ts`,
    tests: [`${GATEWAY}/http/large-page.test.ts`],
    edits: [
      {
        weakens: "large rows are read a few at a time",
        find: "LARGE_ROWS_AT_ONCE = 8;",
        put: "LARGE_ROWS_AT_ONCE = 500;",
      },
      {
        weakens: "a page of large rows is so long",
        find: "MOST_PAGE_LENGTH = 1_048_576;",
        put: "MOST_PAGE_LENGTH = 2_097_152;",
      },
      {
        weakens: "a page ends with the row that makes it so long",
        find: "if (length >= MOST_PAGE_LENGTH && row !== undefined &&",
        put: "if (length < 0 && row !== undefined &&",
      },
    ],
  },
];

/** Calls of contracts that callers choose, and their answers. */
const CONTRACT_EDITS: readonly EditedFile[] = [
  {
    path: `${GATEWAY}/schemas/contract-call.ts`,
    tests: oversized,
    edits: [
      {
        weakens: "an ABI has so many values",
        find: "ABI_ROOM = { values: 1_024,",
        put: "ABI_ROOM = { values: 1_025,",
      },
      { weakens: "an ABI has so many characters", find: "characters: 32_768", put: "characters: 65_536" },
      {
        weakens: "arguments have so many values",
        find: "ARGUMENTS_ROOM = { values: 1_024,",
        put: "ARGUMENTS_ROOM = { values: 1_025,",
      },
      {
        weakens: "arguments have so many characters",
        find: "characters: 150_000",
        put: "characters: 150_002",
      },
      {
        weakens: "arguments are so deep",
        find: "characters: 150_000, depth: 16",
        put: "characters: 150_000, depth: 17",
      },
      {
        weakens: "a call has so many arguments",
        find: "z.array(z.unknown()).max(MOST_INPUTS)",
        put: "z.array(z.unknown())",
      },
    ],
  },
  {
    path: `${CUSTODY}/json-size.ts`,
    tests: oversized,
    edits: [
      {
        weakens: "the values of an object and a list count before they are looked at",
        find: "values + waiting.length + held.length > room.values",
        put: "values > room.values * 1_000",
      },
      {
        weakens: "the characters of texts count",
        find: 'if (typeof one === "string") characters += one.length;',
        put: "",
      },
    ],
  },
  {
    path: `${CUSTODY}/chain-request/abi-function.ts`,
    tests: oversized,
    edits: [
      { weakens: "a function has so many inputs", find: "PARAMETERS_MAX = 64;", put: "PARAMETERS_MAX = 65;" },
      { weakens: "tuples are so deep", find: "DEPTH_MAX = 4;", put: "DEPTH_MAX = 5;" },
      { weakens: "the name of an input is so long", find: "NAME_LENGTH = 128;", put: "NAME_LENGTH = 129;" },
      {
        weakens: "a list of a fixed length has at most 99 elements",
        find: "([1-9][0-9]?)?\\]){0,3}$/;",
        put: "([1-9][0-9]*)?\\]){0,3}$/;",
      },
    ],
  },
  {
    path: `${CHAINS}/evm/functions/function-call.ts`,
    tests: [`${CHAINS}/evm/functions/function-call.test.ts`],
    edits: [
      {
        weakens: "the data of a call is so long",
        find: "CALL_BYTES_MAX: number = 128 * 1024;",
        put: "CALL_BYTES_MAX: number = 256 * 1024;",
      },
      {
        weakens: "an answer that fills the memory is not decoded",
        find: "if (!decodesWithin(",
        put: "if (answer === undefined && !decodesWithin(",
      },
      {
        weakens: "an answer is decoded to so many bytes",
        find: "DECODED_BYTES_MAX: number = 160 * 1024;",
        put: "DECODED_BYTES_MAX: number = 320 * 1024;",
      },
    ],
  },
  {
    path: `${CHAINS}/evm/functions/decoded-size.ts`,
    tests: [`${CHAINS}/evm/functions/function-call.test.ts`],
    edits: [
      {
        weakens: "the length of bytes and texts counts",
        find: "SLOT + (isDynamic(parameter) ? reading.number(at) : 0)",
        put: "SLOT",
      },
      {
        weakens: "the elements of a list count",
        find: "times(reading.number(at), array.element)",
        put: "times(Math.min(1, reading.number(at)), array.element)",
      },
      {
        weakens: "the elements of a list of a fixed length count",
        find: "times(array.length, array.element)",
        put: "times(1, array.element)",
      },
      {
        weakens: "a value counts as often as it is named",
        find: "    this.left -= bytes;\n",
        put: "    if (bytes > this.left) this.left = -1;\n",
      },
      {
        weakens: "all fields of a tuple count",
        find: "readAll(reading, parameter.components ?? [], at)",
        put: "readAll(reading, (parameter.components ?? []).slice(0, 1), at)",
      },
    ],
  },
  {
    path: `${CHAINS}/evm/node/call-contract.ts`,
    tests: [`${CHAINS}/evm/node/call-contract.test.ts`],
    edits: [
      {
        weakens: "a contract's answer is so long",
        find: "ANSWER_BYTES_MAX: number = 128 * 1024;",
        put: "ANSWER_BYTES_MAX: number = 256 * 1024;",
      },
    ],
  },
];

const SIGNER = "packages/cluster/src/signer";
const endedRuns = [`${SIGNER}/session/ended-runs.test.ts`];

/** Late messages of peers. */
const LATE_EDITS: readonly EditedFile[] = [
  {
    path: `${SIGNER}/signer.ts`,
    tests: [`${SIGNER}/signer.test.ts`],
    edits: [
      {
        weakens: "late messages of ended sessions take no room of the mail",
        find: "session === undefined && hasEnded(state.ended, run)",
        put: "session === undefined && hasEnded(NO_ENDED_RUNS, run)",
      },
    ],
  },
  {
    path: `${SIGNER}/session/ended-runs.ts`,
    tests: endedRuns,
    edits: [
      {
        weakens: "a signer remembers so many runs that ended",
        find: "ended.recent.size < ENDED_RUNS_MAX / 2",
        put: "ended.recent.size < ENDED_RUNS_MAX",
      },
      {
        weakens: "the runs that ended last are remembered",
        find: "{ ...ended, recent: put(emptyMap(), run, true), older: ended.recent }",
        put: "{ ...ended, recent: put(emptyMap(), run, true), older: emptyMap() }",
      },
      {
        weakens: "runs that ended are forgotten",
        find: "{ recent: emptyMap(), older: ended.recent, turnedAtMs: nowMs }",
        put: "{ ...ended, turnedAtMs: nowMs }",
      },
      {
        weakens: "runs are known for as long as their messages would wait",
        find: "lookUp(recent, run) !== undefined || lookUp(older, run) !== undefined",
        put: "lookUp(recent, run) !== undefined",
      },
      {
        weakens: "a clock that went back forgets runs",
        find: "Math.abs(nowMs - ended.turnedAtMs)",
        put: "nowMs - ended.turnedAtMs",
      },
    ],
  },
];

/** Contracts that callers name count against no node. */
const BREAKER_EDITS: readonly EditedFile[] = [
  {
    path: `${CHAINS}/breaker/guarded-node.ts`,
    tests: [`${CHAINS}/breaker/guarded-node.test.ts`],
    edits: [
      {
        weakens: "a build does not count against a node",
        find: 'asked(() => node.build(intent), "caller")',
        put: "asked(() => node.build(intent))",
      },
      {
        weakens: "a recipient's contract does not count against a node",
        find: 'asked(() => judgeRecipient(transfer), "caller")',
        put: "asked(() => judgeRecipient(transfer))",
      },
      {
        weakens: "a token that is asked what it moved does not count against a node",
        find: 'asked(() => node.sight(txHash, expected), "caller")',
        put: "asked(() => node.sight(txHash, expected))",
      },
    ],
  },
];

/** One tenant's requests, a contract's answers, and late messages are bounded. */
export const BOUND_EDITS: readonly EditedFile[] = [
  ...ADVICE_EDITS,
  ...REPLACEMENT_EDITS,
  ...SWEEP_EDITS,
  ...BODY_EDITS,
  ...CONTRACT_EDITS,
  ...LATE_EDITS,
  ...BREAKER_EDITS,
];
