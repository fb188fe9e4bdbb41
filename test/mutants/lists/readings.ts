import type { EditedFile } from "../edit.ts";

const CUSTODY = "packages/custody/src";
const CHAINS = "packages/chains/src";
const GATEWAY = "packages/gateway/src";
const POLICIES = "packages/platform/src/postgres/policies";
const TABLES = ["packages/platform/src/postgres/table/table.test.ts"];
const ROWS = [`${GATEWAY}/fuzz/unreadable-rows.test.ts`];
const CHANGES = [`${GATEWAY}/change-request/unreadable-change.test.ts`];
const RECIPIENTS = [`${GATEWAY}/chain-request/unusable-recipients.test.ts`];

/** Rows that cannot be read, recipients by the chain's word, and the units of amounts. */
export const READING_EDITS: readonly EditedFile[] = [
  {
    path: `${CHAINS}/exact-bytes/exact-reading.ts`,
    tests: [`${CHAINS}/algorand/read.test.ts`, `${CHAINS}/solana/read.test.ts`],
    edits: [
      {
        weakens: "a signer reads a transaction for its chain alone",
        find: "        chainMismatch(entry, decoded.value) ??\n",
        put: "",
      },
      {
        weakens: "no other key signs a transaction of whole bytes",
        find: 'mustEqual("cosigners", act.cosigners.length, 0)',
        put: "undefined",
      },
      {
        weakens: "a caller's bytes are the authorised ones",
        find: 'mustEqual("bytes", bytesToHex(found.unsigned), given)',
        put: "undefined",
      },
      {
        weakens: "a caller's bytes are of the wallet's account",
        find: 'mustEqual("from", senderOf(draft), from)',
        put: "undefined",
      },
      {
        weakens: "a transaction of whole bytes costs no more than the cap",
        find: "return reading.fee > BigInt(feeCap)",
        put: "return reading.fee < 0n",
      },
      {
        weakens: "bytes that are signed alone are of the chain of their network",
        find: "chainMismatch(entry.value, draft) ?? toSignMismatch",
        put: "toSignMismatch",
      },
    ],
  },
  {
    path: "packages/platform/src/postgres/table/table.ts",
    tests: TABLES,
    edits: [
      {
        weakens: "a row is found by a column in which nothing is",
        find: "if (value === null) return `${read(property)} is null`;",
        put: 'if (value === null) return "true";',
      },
      {
        weakens: "a page begins behind the row that was the last before it",
        find: "(${date}, ${id}) < (${afterDate}, ${afterId})",
        put: "true",
      },
      {
        weakens: "a row is changed by its whole key",
        find: 'set.slice(0, key.length).join(" and ")',
        put: "set[0]",
      },
      {
        weakens: "lists of bytes are no JSON",
        find: "return isList ? value : JSON.stringify(value);",
        put: "return JSON.stringify(value);",
      },
      {
        weakens: "what the database alone writes is not inserted",
        find: "new Set([...later, ...generated])",
        put: "new Set(later)",
      },
    ],
  },
  {
    path: "packages/platform/src/postgres/connection/unreadable-row.ts",
    tests: ["packages/platform/src/postgres/connection/unreadable-row.test.ts"],
    edits: [
      {
        weakens: "what is told of a row names its columns",
        find: "[columnNameOf(property), ...inside]",
        put: "[property, ...inside]",
      },
    ],
  },
  {
    path: `${GATEWAY}/routes/policies/policy-approvals.ts`,
    tests: ROWS,
    edits: [
      {
        weakens: "a spoilt request takes no list of approvals down",
        find: "leavingOut(database)",
        put: "database",
      },
    ],
  },
  {
    path: `${GATEWAY}/routes/people/users.ts`,
    tests: ROWS,
    edits: [
      {
        weakens: "a spoilt credential takes no list of people down",
        find: "leavingOut(database)",
        put: "database",
      },
    ],
  },
  {
    path: `${POLICIES}/policy-approvals.ts`,
    tests: ROWS,
    edits: [
      {
        weakens: "the request of an approval is judged with its row",
        find: "    subject: approvalSubjectSchema,",
        put: '    subject: z.custom<Approval["subject"]>(),',
      },
    ],
  },
  {
    path: `${GATEWAY}/change-request/stored-change.ts`,
    tests: CHANGES,
    edits: [
      {
        weakens: "a change that cannot be read is refused with a code",
        find: "throw new UnreadableRow({ record: id, columns: [column] });",
        put: "throw new Error(`${id} ${column}`);",
      },
    ],
  },
  {
    path: `${GATEWAY}/chain-request/create-transfer.ts`,
    tests: RECIPIENTS,
    edits: [
      {
        weakens: "the chain is asked for the recipient",
        find: "return judged?.ok === false && judged.problem.code",
        put: "return judged?.ok === undefined && judged.problem.code",
      },
      {
        weakens: "a caller may insist on a recipient that the chain knows",
        find: "  if (sendAnyway === true) return ok(undefined);\n",
        put: "",
      },
    ],
  },
  {
    path: `${CHAINS}/evm/node/recipient.ts`,
    tests: [`${CHAINS}/evm/node/recipient.test.ts`],
    edits: [
      {
        weakens: "a contract that claims every interface is no collection",
        find: "speaksOfAll === 0n && ",
        put: "",
      },
      {
        weakens: "a collection takes no token",
        find: "collections.includes(1n)",
        put: "collections.includes(2n)",
      },
      {
        weakens: "a contract that answers everything is no token",
        find: "ofNobody === undefined && ",
        put: "",
      },
    ],
  },
  {
    path: `${CHAINS}/stellar/node/judge-recipient.ts`,
    tests: [`${CHAINS}/stellar/node/edge.test.ts`],
    edits: [
      {
        weakens: "an address without a contract is refused",
        find: ".length > 0);",
        put: ".length >= 0);",
      },
      {
        weakens: "a node that does not know the question refuses nobody",
        find: "!found.success || ",
        put: "found.success && ",
      },
    ],
  },
  {
    path: `${CHAINS}/tron/rules/views.ts`,
    tests: [`${CHAINS}/tron/rules/judgement.test.ts`],
    edits: [
      {
        weakens: "a TRC-10 token that came in is asked for by its id",
        find: 'if (moved.kind === "Trc10") return moved.tokenId;',
        put: "",
      },
    ],
  },
  {
    path: `${CHAINS}/evm/rules/views.ts`,
    tests: [`${CHAINS}/rules/transfer-judgement.test.ts`],
    edits: [
      {
        weakens: "a token that came in on an EVM network is asked for by its contract",
        find: '"contract" in moved ? moved.contract : undefined',
        put: "undefined",
      },
    ],
  },
  {
    path: `${CHAINS}/stellar/rules/views.ts`,
    tests: [`${CHAINS}/stellar/rules/judgement.test.ts`],
    edits: [
      {
        weakens: "an asset that came in on Stellar is asked for by its issuer's name for it",
        find: 'moved.kind === "Sep41" ?',
        put: "moved === undefined ?",
      },
    ],
  },
  {
    path: `${CUSTODY}/amount.ts`,
    tests: [`${CHAINS}/rules/amount-units.test.ts`],
    edits: [
      {
        weakens: "an amount that is too large names its unit",
        find: "the most that the network takes, counted in ${unit}.",
        put: "the most that the network takes.",
      },
      {
        weakens: "an amount that is no integer names its unit",
        find: "is not a positive integer of ${unit}, of at most ${largest}.",
        put: "is not a positive integer.",
      },
    ],
  },
];
