import type { EditedFile } from "../edit.ts";

const CUSTODY = "packages/custody/src";
const CHAINS = "packages/chains/src";

/** Lists of recipients that nobody can take anything from, each by itself. */
const RECIPIENT_EDITS: readonly EditedFile[] = [
  {
    path: `${CHAINS}/evm/rules/recipient.ts`,
    tests: [`${CHAINS}/evm/rules/recipient.test.ts`],
    edits: [
      {
        weakens: "no token goes to its own contract",
        find: 'transfer.kind !== "Native" && transfer.contract === transfer.to',
        put: "false",
      },
      { weakens: "precompiled contracts are paid nothing", find: "= 0x1_0000n;", put: "= 0x100n;" },
      {
        weakens: "addresses that burn are known",
        find: '["0x000000000000000000000000000000000000dead", "the address that tokens are burnt at"],',
        put: "",
      },
    ],
  },
  {
    path: `${CHAINS}/bitcoin/rules/unsuitable-recipients.ts`,
    tests: [`${CHAINS}/bitcoin/rules/unsuitable-recipients.test.ts`],
    edits: [
      { weakens: "burnt hashes are known as P2WPKH too", find: '    case "P2WPKH": {', put: "    {" },
      { weakens: "scripts of zeros are unsuitable", find: "isFilledWith(body, 0x00) || ", put: "" },
      { weakens: "scripts of ones are unsuitable", find: " || isFilledWith(body, 0xff)", put: "" },
    ],
  },
  {
    path: `${CHAINS}/xrpl/rules/recipients.ts`,
    tests: [`${CHAINS}/xrpl/node/edge.test.ts`],
    edits: [
      {
        weakens: "special accounts are refused",
        find: "parsed.success && which !== undefined",
        put: "parsed.success && which === null",
      },
      {
        weakens: "an account of nobody's regular key is a black hole",
        find: "regularKey === undefined || NOBODYS_KEYS.includes(regularKey)",
        put: "regularKey === undefined",
      },
    ],
  },
  {
    path: `${CHAINS}/algorand/rules/recipients.ts`,
    tests: [`${CHAINS}/algorand/node/edge.test.ts`],
    edits: [
      {
        weakens: "accounts of the protocol are refused",
        find: "return parsed.success && which !== undefined ?",
        put: "return parsed.success && which === null ?",
      },
    ],
  },
  {
    path: `${CHAINS}/stellar/rules/recipients.ts`,
    tests: [`${CHAINS}/stellar/node/edge.test.ts`],
    edits: [
      {
        weakens: "no asset goes to its issuer",
        find: "parsed.data.to !== parsed.data.issuer",
        put: "parsed.data.to !== parsed.data.kind",
      },
    ],
  },
  {
    path: `${CHAINS}/tron/node/recipient.ts`,
    tests: [`${CHAINS}/tron/node/edge.test.ts`],
    edits: [
      {
        weakens: "a collection of TRON takes no TRC-20 token",
        find: "    if (said.value === 1n) return ok(true);\n",
        put: "",
      },
      {
        weakens: "a contract that says yes to everything is no collection",
        find: '  ["ffffffff", 0n],\n',
        put: "",
      },
    ],
  },
  {
    path: `${CHAINS}/solana/recipient.ts`,
    tests: [`${CHAINS}/solana/node/recipient.test.ts`],
    edits: [
      { weakens: "no program is paid", find: 'if (executable) return "a program";', put: "" },
      {
        weakens: "no nonce account is paid",
        find: 'data.length === 0 ? undefined : "a nonce account"',
        put: "undefined",
      },
      {
        weakens: "no mint is paid",
        find: "if (parseMint(data, kind) !== undefined) return",
        put: "if (kind === undefined) return",
      },
      { weakens: "no vote account is paid", find: "if (known !== undefined) return known;", put: "" },
    ],
  },
];

/** Confirmed means moved. */
const EFFECT_EDITS: readonly EditedFile[] = [
  {
    path: `${CHAINS}/evm/node/sight.ts`,
    tests: [`${CHAINS}/evm/node/moved.test.ts`],
    edits: [
      {
        weakens: "a token that wrote no event and changed no balance has moved nothing",
        find: 'if (movement.kind === "moved") {',
        put: "if (movement !== undefined) {",
      },
    ],
  },
  {
    path: `${CHAINS}/solana/node/sight.ts`,
    tests: [`${CHAINS}/solana/node/effect.test.ts`],
    edits: [
      {
        weakens: "a recipient whose balance is as before got nothing",
        find: 'if (arrived === "nothing") {',
        put: "if (arrived === null) {",
      },
      {
        weakens: "what arrived is told where it differs",
        find: "arrived === BigInt(transfer.amount) ? {} : { arrived }",
        put: "{}",
      },
    ],
  },
  {
    path: `${CHAINS}/xrpl/node/sight.ts`,
    tests: [`${CHAINS}/xrpl/node/node.test.ts`, `${CHAINS}/xrpl/node/edge.test.ts`],
    edits: [
      {
        weakens: "nothing delivered is nothing moved",
        find: "return delivered === 0n\n    ?",
        put: "return delivered < 0n\n    ?",
      },
    ],
  },
  {
    path: `${CHAINS}/stellar/node/effect-of.ts`,
    tests: [`${CHAINS}/stellar/node/edge.test.ts`],
    edits: [
      {
        weakens: "effects that bring nothing to the recipient are told",
        find: 'return records.length === 0 || to.startsWith("C")',
        put: "return records.length >= 0",
      },
      {
        weakens: "what arrived is of the transfer's asset",
        find: "return effect.account === transfer.to && isOfAsset(effect, transfer)",
        put: "return effect.account === transfer.to",
      },
    ],
  },
];

/** Which refusals of nodes are for good. */
const FINAL_EDITS: readonly EditedFile[] = [
  {
    path: `${CHAINS}/evm/refusals/broadcast-refusals.ts`,
    tests: [`${CHAINS}/evm/refusals/broadcast-refusals.test.ts`],
    edits: [
      {
        weakens: "a gas limit above EIP-7825 is refused for good",
        find: "gas limit (is )?too high|",
        put: "",
      },
      { weakens: "a higher tip mends a tip that is too low", find: ", byFee: true }", put: " }" },
      { weakens: "what is known is accepted", find: "already known|already imported|", put: "" },
    ],
  },
  {
    path: `${CHAINS}/bitcoin/node/broadcast.ts`,
    tests: [`${CHAINS}/bitcoin/node/node.test.ts`],
    edits: [
      { weakens: "dust is refused for good", find: "coinbase|dust|", put: "coinbase|" },
      {
        weakens: "the node's own floor is mended by a fee",
        find: 'if (BELOW_OWN_FLOOR.test(words)) return { kind: "unacceptable", reason, byFee: true };',
        put: "",
      },
      {
        weakens: "what another one displaced is outdated",
        find: "if (DISPLACED.some((pattern) => pattern.test(words))) {",
        put: "if (DISPLACED.length === 0) {",
      },
    ],
  },
  {
    path: `${CHAINS}/stellar/node/broadcast.ts`,
    tests: [`${CHAINS}/stellar/node/node.test.ts`, `${CHAINS}/stellar/node/refusing-node.test.ts`],
    edits: [
      { weakens: "a wrong signature is refused for good", find: '  "tx_bad_auth",\n', put: "" },
      {
        weakens: "a sequence number that is taken is outdated",
        find: 'case "tx_bad_seq":',
        put: 'case "tx_bad_sequence":',
      },
    ],
  },
  {
    path: `${CHAINS}/algorand/node/refusals.ts`,
    tests: [`${CHAINS}/algorand/node/broadcast.test.ts`],
    edits: [
      {
        weakens: "rounds that are to come are no rounds that are over",
        find: 'BigInt(round) > BigInt(last) ? "over" : "for-now"',
        put: 'BigInt(round) > 0n ? "over" : "for-now"',
      },
      {
        weakens: "some words are for good",
        find: 'FOR_GOOD.some((words) => words.test(said)) ? "for-good" : "for-now"',
        put: '"for-now"',
      },
    ],
  },
];

/** Which act of its owner works in which state of a request. */
const ACTS_EDITS: readonly EditedFile[] = [
  {
    path: `${CUSTODY}/chain-request/owners-acts.ts`,
    tests: [`${CUSTODY}/chain-request/owners-acts.test.ts`],
    edits: [
      {
        weakens: "what is signed is not aborted",
        find: 'signed: { abort: "cancel", "speed-up": "works"',
        put: 'signed: { abort: "works", "speed-up": "works"',
      },
      {
        weakens: "a cancellation is not sped up",
        find: '"being cancelled": { abort: "cancel again", "speed-up": "cancel again"',
        put: '"being cancelled": { abort: "cancel again", "speed-up": "works"',
      },
      {
        weakens: "a caller's own transaction in the place is not replaced by the request's owner",
        find: 'return "replaced by its caller";',
        put: "return requestStageOf([request]);",
      },
      {
        weakens: "a replacement that is not signed yet is not replaced",
        find: 'if (holder.signedTransaction === undefined) return "replacement not signed";',
        put: "",
      },
      {
        weakens: "nothing is left to act on once the holder of the place is settled",
        find: "if (!isOpen(request) || !isOpen(holder))",
        put: "if (!isOpen(request))",
      },
      {
        weakens: "an act on a replaced request is one on the holder",
        find: "return ok(holder);",
        put: "return ok(request);",
      },
      {
        weakens: "a chain that replaces nothing is told of",
        find: 'return room === "never"\n',
        put: 'return room === "never" && request.id === ""\n',
      },
    ],
  },
];

export const REFUSAL_EDITS: readonly EditedFile[] = [
  ...RECIPIENT_EDITS,
  ...EFFECT_EDITS,
  ...FINAL_EDITS,
  ...ACTS_EDITS,
];
