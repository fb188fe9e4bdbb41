import type { PlantedBug } from "./planted-bug.ts";

const RELEASE = "packages/cluster/src/signer/signing/spend-and-release.ts";
const POOLED = "packages/cluster/src/signer/signing/pooled-presignatures.ts";
const FINISH = "packages/cluster/src/signer/signing/finish-signing.ts";
const BEGIN = "packages/cluster/src/signer/session/begin.ts";
const BINDING = "packages/cluster/src/signer/signing/request-binding.ts";
const AUTHORISE = "packages/cluster/src/signer/session/authorise.ts";
const DUE = "packages/platform/src/postgres/due-requests";

const RELEASED = `    { kind: "batch", puts, erases: [], sync: true },
    ...counted.announcements,
    ...tombstones.map(
      ({ run, digest }) =>
        ({ kind: "compute", session: run, task: { kind: "open-signing", digest } }) as const,
    ),
  ];`;

/** The bugs that worlds of the simulator can reach. Numbers are those of docs/simulator.md. */
export const PLANTED_BUGS: readonly PlantedBug[] = [
  {
    number: 1,
    title: "a partial signature leaves before its tombstone is stored",
    invariant: "INV-2",
    edits: [
      {
        path: RELEASE,
        find: RELEASED,
        put: `    ...counted.announcements,
    ...tombstones.map(({ run, digest }) => ({ kind: "compute", session: run, task: { kind: "open-signing", digest } }) as const),
    { kind: "batch", puts, erases: [], sync: true },
  ];`,
      },
    ],
  },
  {
    number: 2,
    title: "the tombstone is stored without a sync",
    invariant: "INV-2",
    edits: [{ path: RELEASE, find: RELEASED, put: RELEASED.replace("sync: true", "sync: false") }],
  },
  {
    number: 3,
    title: "a spent presignature is used again",
    invariant: "INV-2",
    edits: [
      {
        path: POOLED,
        find: "if (tombstone !== undefined) return { ok: false, problem: whySpent(id, tombstone, digest) };",
        put: "",
      },
      {
        path: RELEASE,
        find: "if (id !== undefined) state = { ...state, pool: withSpent(state.pool, id) };",
        put: "",
      },
    ],
  },
  {
    number: 6,
    title: "a signer forgets the ids of sessions",
    invariant: "INV-2",
    edits: [{ path: BEGIN, find: "    isRemembered(state, given) ||\n", put: "" }],
  },
  {
    number: 8,
    title: "a coordinator begins again under the id of its last session, one time in eight",
    invariant: "INV-2",
    edits: [
      {
        path: "packages/cluster/src/coordinator/fresh-session.ts",
        find: "  const id = entropy(SESSION_ID_BYTES);",
        put: "  drawn += 1;\n  const id = drawn % 8 === 0 && last !== undefined ? last : entropy(SESSION_ID_BYTES);\n  last = id;",
      },
      {
        path: "packages/cluster/src/coordinator/fresh-session.ts",
        find: "/** Draws a session id",
        put: "let drawn = 0;\nlet last: Uint8Array | undefined;\n/** Draws a session id",
      },
    ],
  },
  {
    number: 9,
    title: "a request is bound to no transaction",
    invariant: "INV-4",
    edits: [
      {
        path: BINDING,
        find: "  if (transaction === undefined) return [];",
        put: "  if (transaction !== undefined) return [];",
      },
    ],
  },
  {
    number: 11,
    title: "a transaction is broadcast before it is stored",
    invariant: "INV-4",
    edits: [
      {
        path: "packages/orchestrator/src/chain-requests/sign.ts",
        find: '  FAULT: reach("transfer.signed");',
        put: "  await chain.node.broadcast(signed);",
      },
    ],
  },
  {
    number: 12,
    title: "a node's refusal fails a signed request",
    invariant: "INV-4",
    edits: [
      {
        path: "packages/orchestrator/src/chain-requests/broadcast.ts",
        find: '    case "unacceptable":\n      return notTaken(work, seen, outcome);',
        put: '    case "unacceptable":\n      await apply(work.database, seen, { kind: "Failed", date: isoNow(work.world), reason: "refused" });\n      return GO_ON;',
      },
    ],
  },
  {
    number: 13,
    title: "a transaction that is built again need not exclude the one before",
    invariant: "INV-4",
    isOfCoins: true,
    edits: [
      {
        path: "packages/orchestrator/src/chain-requests/prepare.ts",
        find: "  exclusion === undefined || chain.family.excludes(exclusion, later.exclusion);",
        put: "  exclusion === undefined || chain.family !== undefined || later !== undefined;",
      },
    ],
  },
  {
    number: 14,
    title: "a transaction is stored whatever the wallet's line is meanwhile",
    invariant: "coins",
    isOfCoins: true,
    edits: [
      {
        path: "packages/orchestrator/src/chain-requests/commit-built.ts",
        find: "{ expect: [line.row] }",
        put: "{ expect: [] }",
      },
    ],
  },
  {
    number: 15,
    title: "a reorganisation of a settled request is ignored",
    invariant: "INV-4",
    edits: [
      {
        path: "packages/orchestrator/src/following/reorganised.ts",
        find: "  if (!(await isUndone(work, request))) return;",
        put: "  if (request.id !== undefined) return;",
      },
    ],
  },
  {
    number: 17,
    title: "any request of a wallet's line is claimed, not its head alone",
    invariant: "INV-4",
    edits: [
      {
        path: `${DUE}/claim.ts`,
        find: "        where due.is_head and due.parked_at is null and due.due_at <= now()),\n     placed",
        put: "        where due.parked_at is null and due.due_at <= now()),\n     placed",
      },
      {
        path: `${DUE}/claim.ts`,
        find: "where placed.place <= placed.slots and due.is_head and due.parked_at is null",
        put: "where placed.place <= placed.slots and due.parked_at is null",
      },
    ],
  },
  {
    number: 18,
    title: "a claim ends although its request was asked for again meanwhile",
    invariant: "INV-5",
    edits: [
      {
        path: `${DUE}/release.ts`,
        find: "where id = $1 and token = $2 and asked = $3 returning line",
        put: "where id = $1 and token = $2 and $3::bigint is not null returning line",
      },
    ],
  },
  {
    number: 19,
    title: "a request that a dead orchestrator held is never taken over",
    invariant: "INV-5",
    edits: [
      {
        path: `${DUE}/claim.ts`,
        find: "where due.is_head and due.parked_at is null and due.due_at <= now()),\n     placed",
        put: "where due.is_head and due.parked_at is null and due.token is null and due.due_at <= now()),\n     placed",
      },
    ],
  },
  {
    number: 20,
    title: "the event of a change is written although the change meets another and is refused",
    invariant: "INV-6",
    edits: [
      {
        path: "packages/platform/src/postgres/commit/commit.ts",
        find: "select event.* from allowed, jsonb_to_recordset",
        put: "select event.* from jsonb_to_recordset",
      },
    ],
  },
  {
    number: 25,
    title: "the age of an authorisation is not looked at when a partial signature is released",
    invariant: "INV-8",
    edits: [{ path: RELEASE, find: "    nowMs < lapsesAtMs\n", put: "    nowMs !== lapsesAtMs + 0.5\n" }],
  },
  {
    number: 26,
    title: "the authority's signature is not verified",
    invariant: "INV-8",
    edits: [
      {
        path: AUTHORISE,
        find: "payload.length <= bytesMax && verifyEd25519(signature, payload, config.authorityKey);",
        put: "payload.length <= bytesMax;",
      },
    ],
  },
  {
    number: 27,
    title: "a payload is not compared with its authorised request",
    invariant: "INV-3",
    edits: [
      {
        path: "packages/chains/src/evm/read.ts",
        find: 'if (act.kind === "transfer") return callMismatch(transaction, callOf(act.transfer));',
        put: 'if (act.kind === "transfer") return undefined;',
      },
    ],
  },
  {
    number: 28,
    title: "a signer answers a session with the signatures of the one before, one time in eight",
    invariant: "INV-3",
    edits: [
      {
        path: FINISH,
        find: 'endWith(sent, session, { kind: "signed", signatures }),',
        put: 'endWith(sent, session, { kind: "signed", signatures: mixedUp(signatures) }),',
      },
      {
        path: FINISH,
        find: "/** One signable is signed.",
        put: `let answers = 0;
let last: readonly SchemeSignature[] = [];
const mixedUp = (signatures: readonly SchemeSignature[]): readonly SchemeSignature[] => {
  const before = last;
  last = signatures;
  answers += 1;
  return answers % 8 === 0 && before.length === signatures.length ? before : signatures;
};
/** One signable is signed.`,
      },
    ],
  },
];
