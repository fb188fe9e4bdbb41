import type { EditedFile } from "../../edit.ts";

const CLUSTER = "packages/cluster/src/signer";
const POOL_TESTS = [`${CLUSTER}/presigning/pool.test.ts`, `${CLUSTER}/older-store/spending.test.ts`];

const LIVES_TESTS = [
  `${CLUSTER}/session/run-id.test.ts`,
  "packages/cluster/src/cluster-lives.test.ts",
  "packages/platform/src/grpc/command.test.ts",
];

const BEGUN: EditedFile = {
  path: `${CLUSTER}/session/begin.ts`,
  tests: LIVES_TESTS,
  edits: [
    {
      weakens: "a command for another life of the signer begins nothing (INV-7)",
      find: "if (!isSameLife(state.life, lives.get(state.config.self))) {",
      put: "if (lives.size === 0) {",
    },
  ],
};

const BOUND: EditedFile = {
  path: `${CLUSTER}/session/run-id.ts`,
  tests: LIVES_TESTS,
  edits: [
    {
      weakens: "a run binds the lives of its parties (INV-7)",
      find: "agreed: [...fields.agreed, lived],",
      put: "",
    },
  ],
};

const NAMED: EditedFile = {
  path: "packages/cluster/src/control/lives.ts",
  tests: LIVES_TESTS,
  edits: [
    {
      weakens: "a party without a life is in no run",
      find: "if (all.length !== parties.length || !all.every(isLife)) return undefined;",
      put: "",
    },
    {
      weakens: "all bytes of a life count",
      find: "one.every((byte, at) => byte === other[at])",
      put: "one[0] !== undefined",
    },
  ],
};

const READ_COMMAND: EditedFile = {
  path: "packages/platform/src/grpc/command.ts",
  tests: LIVES_TESTS,
  edits: [
    {
      weakens: "a command names one life of a signer",
      find: "lives.has(party) || ",
      put: "",
    },
    {
      weakens: "a life has its length",
      find: " || !isLife(life)) return undefined;",
      put: ") return undefined;",
    },
  ],
};

const DRAWN: EditedFile = {
  path: `${CLUSTER}/signer.ts`,
  tests: LIVES_TESTS,
  edits: [
    {
      weakens: "a process that may go on from a copy of its memory has another life",
      find: "burnNonces({ ...state, life: event.life }, nowMs)",
      put: "burnNonces(state, nowMs)",
    },
  ],
};

const RESET: EditedFile = {
  path: `${CLUSTER}/session/resumption.ts`,
  tests: [
    "packages/cluster/src/cluster-signer-clocks.test.ts",
    "packages/cluster/src/cluster-clock-uses.test.ts",
    ...POOL_TESTS,
  ],
  edits: [
    {
      weakens: "ids of messages are of one life (INV-5)",
      find: "messageSessions: NO_MESSAGE_IDS, ",
      put: "",
    },
    {
      weakens: "masks that were made ahead are of one life (INV-2)",
      find: "({ state: next, effects: makeAhead(next) })",
      put: "({ state: next, effects: [] })",
    },
    {
      weakens: "envelopes that wait are of one life (INV-5)",
      find: ", mail: EMPTY_MAIL",
      put: "",
    },
  ],
};

const LAID_OUT: EditedFile = {
  path: "packages/threshold/src/blame/agreed-values.ts",
  tests: [...LIVES_TESTS, "packages/threshold/src/blame/agreed-values.test.ts"],
  edits: [
    {
      weakens: "evidence that splits values otherwise proves nothing (INV-7)",
      find: "(tail.length === 0 || (tail.length === 1 && tail[0] === LIVES_BYTES))",
      put: "tail.length < 3",
    },
    {
      weakens: "only a run of a Taproot key binds the root of a script tree",
      find: 'layout === "frost" && attempt.scheme === "FROST-Taproot"',
      put: 'layout === "frost"',
    },
  ],
};

const LIVE: EditedFile = {
  path: "packages/platform/src/coordination/signers.ts",
  tests: ["packages/platform/src/coordination/signers.test.ts"],
  edits: [
    {
      weakens: "a signer that shows no life is in no quorum (INV-5)",
      find: "status?.life !== undefined",
      put: "status !== undefined",
    },
    {
      weakens: "a signer that serves anew is asked at once (INV-5)",
      find: "if (known.isAskedAgain) {",
      put: "if (known.isAskedAgain && this.#isClosed) {",
    },
  ],
};

const ENTROPY: EditedFile = {
  path: "packages/platform/src/entropy.ts",
  tests: ["packages/platform/src/entropy.test.ts"],
  edits: [
    {
      weakens: "the kernel's randomness counts (INV-2)",
      find: "byte ^ (others[at] ?? 0)",
      put: "byte ^ (others.length - length)",
    },
    {
      weakens: "the process's own randomness counts",
      find: "one(length).map((byte, at) => byte ^ ",
      put: "new Uint8Array(length).map((byte, at) => byte ^ ",
    },
  ],
};

const LEARNT: EditedFile = {
  path: "packages/cluster/src/coordinator/refusal.ts",
  tests: LIVES_TESTS,
  edits: [
    {
      weakens: "coordinators begin again with the lives that signers showed (INV-5)",
      find: 'code === "SignerLifeUnknown"',
      put: "false && code === undefined",
    },
  ],
};

const LIFE: EditedFile = {
  path: "packages/platform/src/life.ts",
  tests: ["packages/platform/src/life.test.ts"],
  edits: [
    {
      weakens: "a machine of another boot is doubted",
      find: "if (now.bootId !== before.bootId) return",
      put: "if (now.bootId !== undefined && now.bootId !== before.bootId) return",
    },
    {
      weakens: "a process that stood still is doubted",
      find: "if (stoodMs > STOOD_STILL_MS) return",
      put: "if (stoodMs > 60 * STOOD_STILL_MS) return",
    },
    {
      weakens: "a clock that went back is doubted",
      find: "return Math.abs(movedMs) < CLOCK_STEP_MS",
      put: "return movedMs < CLOCK_STEP_MS",
    },
    {
      weakens: "small steps of the clock add up",
      find: "{ ...now, offsetMs: this.#before.offsetMs }",
      put: "now",
    },
  ],
};

const WATCHED_EVENTS: EditedFile = {
  path: "packages/signer/src/watched-events.ts",
  tests: ["packages/signer/src/watched-events.test.ts"],
  edits: [
    {
      weakens: "nonces are burnt ahead of the event",
      find: '      dispatch({ kind: "resumed", life: world.entropy(LIFE_BYTES) });\n    }\n    dispatch(event);',
      put: '    }\n    dispatch(event);\n    if (doubt !== undefined) dispatch({ kind: "resumed", life: world.entropy(LIFE_BYTES) });',
    },
    {
      weakens: "a command is looked at whole",
      find: 'event.kind === "begin" || event.kind === "tick" ? "whole" : "fast"',
      put: '"fast"',
    },
  ],
};

const RESUMPTION: EditedFile = {
  path: `${CLUSTER}/session/resumption.ts`,
  tests: POOL_TESTS,
  edits: [
    { weakens: "the pool is burnt", find: "burnWhere(state, () => true)", put: "state" },
    {
      weakens: "open sessions end",
      find: 'const ended = endAllWith(burnt, { kind: "failure", reason: REASON, silent: [] });',
      put: "const ended = { state: burnt, effects: [] };",
    },
  ],
};

const STORED: EditedFile = {
  path: `${CLUSTER}/records/recall.ts`,
  tests: [`${CLUSTER}/presigning/shredding.test.ts`, `${CLUSTER}/records/version-1.test.ts`],
  edits: [
    {
      weakens: "presignatures that an older version stored are erased",
      find: "const erases = presignatures.map(([id]) => RECORDS.presignature.name(id));",
      put: "const erases = presignatures.slice(1).map(([id]) => RECORDS.presignature.name(id));",
    },
    {
      weakens: "the keys of their groups are destroyed",
      find: "shreds: [...groups], sync: true",
      put: "sync: true",
    },
    {
      weakens: "one that was reserved gets its tombstone",
      find: "=== undefined) {\n      const { tombstone } = record;",
      put: "!== undefined) {\n      const { tombstone } = record;",
    },
  ],
};

const RELEASE: EditedFile = {
  path: `${CLUSTER}/signing/spend-and-release.ts`,
  tests: POOL_TESTS,
  edits: [
    {
      weakens: "a presignature that is spent leaves the pool",
      find: "pool: withSpent(state.pool, id)",
      put: "pool: state.pool",
    },
    {
      weakens: "its tombstone is written with the request's binding",
      find: "const puts = [write, ...buried,",
      put: "const puts = [write,",
    },
  ],
};

const ASKING: EditedFile = {
  path: `${CLUSTER}/older-store/spending.ts`,
  tests: POOL_TESTS,
  edits: [
    {
      weakens: "a signer asks as many peers as cannot lie together",
      find: "spending.hasWaited ? Math.min(config.threshold, peers) : peers;",
      put: "1;",
    },
    {
      weakens: "a signer asks until they have confirmed",
      find: "if (spending.confirmedBy.size >= enough) return",
      put: "if (spending.askedAtMs > 0) return",
    },
    {
      weakens: "questions become rare while nobody answers",
      find: "Math.max(ASK_SPENDING_MS, sinceStartMs)",
      put: "ASK_SPENDING_MS",
    },
  ],
};

/** A presignature serves one life of a process (INV-2). */
export const LIFE_EDITS: readonly EditedFile[] = [
  RESET,
  LAID_OUT,
  LIVE,
  LEARNT,
  ENTROPY,
  BEGUN,
  BOUND,
  NAMED,
  READ_COMMAND,
  DRAWN,
  LIFE,
  WATCHED_EVENTS,
  RESUMPTION,
  STORED,
  RELEASE,
  ASKING,
];
