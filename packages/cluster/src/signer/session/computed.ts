import type { Envelope } from "@conclave/threshold";
import type { ComputeResult } from "../../compute/task.ts";
import type { SignerEffect } from "../effect.ts";
import type { SessionKey } from "../event.ts";
import { keepNext } from "../key-change/next-share.ts";
import { finishExport } from "../key-export/begin-export.ts";
import { KEY_EPOCH_FIRST } from "../key-generation/key-epoch.ts";
import { QUARANTINE_MS } from "../limits.ts";
import { keepPresignature } from "../presigning/begin-presigning.ts";
import { burnWhere } from "../presigning/burn.ts";
import { groupOf } from "../presigning/pool.ts";
import { entriesOf, lookUp, put } from "../records/persistent-map.ts";
import { AUXILIARY_ID, RECORDS } from "../records/record.ts";
import { MESSAGE_STAGE } from "../signing/begin-message.ts";
import { bindRequest, nonceConflict } from "../signing/request-nonce.ts";
import {
  andThen,
  endWith,
  type OpenSession,
  type SignerState,
  type SignerStep,
  unchanged,
  withSession,
} from "../state.ts";

type ResultOf<Kind extends ComputeResult["kind"]> = Extract<ComputeResult, { readonly kind: Kind }>;

/** What the host made of a task. Results of sessions that have ended meanwhile are thrown away. */
export const takeResult = (
  state: SignerState,
  run: SessionKey,
  result: ComputeResult,
  nowMs: number,
): SignerStep => {
  const session = state.sessions.get(run);
  if (session === undefined) return unchanged(state);
  switch (result.kind) {
    case "running":
      return goOn(state, session, result);
    case "auxiliary":
      return keepAuxiliary(state, session, result);
    case "key":
      return keepKey(state, session, result);
    case "import-refused":
      return refuseImport(state, session, result);
    case "exported":
      return finishExport(state, session, result);
    case "key-changed":
      return keepNext(state, session, result, sends(session, state.config.self, result.send));
    case "presigned":
      return session.purpose.protocol === "presigning"
        ? exportPresignature(state, session, result)
        : spend(state, session, result);
    case "presignature":
      return keepPresignature(state, session, result, nowMs);
    case "signature":
      return finishSigning(state, session, result);
    case "frost-signature":
      return finishMessage(state, session, result);
    case "fault":
      return blame(state, session, result, nowMs);
    case "abort":
      return endWith(state, session, { kind: "failure", reason: result.check, silent: [] });
  }
};

/** A broadcast is one effect a receiver: each link has its own queue. What the session announces goes ahead. */
const sends = (
  { parties, announcements }: OpenSession,
  self: number,
  envelopes: readonly Envelope[],
): SignerEffect[] => [
  ...(envelopes.length === 0 ? [] : announcements),
  ...envelopes.flatMap((envelope) =>
    parties
      .filter((to) => to !== self && (envelope.to === 0 || envelope.to === to))
      .map((to) => ({ kind: "send", to, envelope }) as const),
  ),
];

const goOn = (state: SignerState, session: OpenSession, result: ResultOf<"running">): SignerStep => {
  const { stage, awaiting } = result;
  const effects = sends(session, state.config.self, result.send);
  // a message is signed within moments: that the signer is at work is said once
  const isSaid = session.purpose.protocol === "message" && session.stage !== MESSAGE_STAGE;
  if (stage !== session.stage && !isSaid) {
    effects.push({ kind: "report", call: session.call, report: { kind: "progress", stage } });
  }
  const announcements = result.send.length === 0 ? session.announcements : [];
  return { state: withSession(state, { ...session, stage, awaiting, announcements }), effects };
};

/** Stored before anybody hears of it: what is reported done survives a crash. */
const keepAuxiliary = (
  state: SignerState,
  session: OpenSession,
  result: ResultOf<"auxiliary">,
): SignerStep => {
  const { epoch, digest, info } = result;
  const record = { version: 1, parameters: state.config.parameters, epoch, digest, info } as const;
  const effects: SignerEffect[] = [
    { kind: "store", record: RECORDS.auxiliary.name(AUXILIARY_ID), value: RECORDS.auxiliary.write(record) },
    { kind: "prepare", auxiliary: info },
    ...sends(session, state.config.self, result.send),
  ];
  const stored: SignerStep = { state: { ...state, auxiliary: record }, effects };
  // who cheated for an old modulus gains nothing from what was made with it; a crash before this burns at the start
  const before = state.auxiliary?.epoch;
  const over = [...entriesOf(state.keys)].flatMap(([keyId, key]) =>
    before === undefined ? [] : [groupOf({ keyId, epoch: key.epoch, auxiliaryEpoch: before })],
  );
  const burnt = andThen(stored, (next) =>
    burnWhere(next, ({ auxiliaryEpoch }) => auxiliaryEpoch !== epoch, over),
  );
  return andThen(burnt, (next) => endWith(next, session, { kind: "auxiliary", epoch, digest }));
};

/** The share is durable as pending before KeyDone is said: an activation can count on it. */
const keepKey = (state: SignerState, session: OpenSession, result: ResultOf<"key">): SignerStep => {
  const { purpose } = session;
  if (purpose.protocol !== "key") throw new Error("only key generation makes a key");
  const { scheme, isImported } = purpose;
  const { keyId, publicKey, chainCode, share } = result;
  const epoch = KEY_EPOCH_FIRST;
  const origin = isImported ? ({ imported: true } as const) : {};
  const made = { epoch, publicKey, chainCode, share, ...origin };
  const record = { version: 1, scheme, state: "pending", ...made } as const;
  const effects: SignerEffect[] = [
    { kind: "store", record: RECORDS.key.name(keyId), value: RECORDS.key.write(record) },
    ...sends(session, state.config.self, result.send),
  ];
  return andThen({ state: { ...state, keys: put(state.keys, keyId, record) }, effects }, (stored) =>
    endWith(stored, session, { kind: "key", keyId, publicKey, chainCode }),
  );
};

/** What the client gave is no key: the others hear so too, and nobody keeps anything. */
const refuseImport = (
  state: SignerState,
  session: OpenSession,
  { refusals, send }: ResultOf<"import-refused">,
): SignerStep =>
  andThen({ state, effects: sends(session, state.config.self, send) }, (sent) =>
    endWith(sent, session, { kind: "import-refused", refusals }),
  );

/** The presignature is there, and goes to the pool: it is asked of the host, which keeps nothing of it. */
const exportPresignature = (
  state: SignerState,
  session: OpenSession,
  { send }: ResultOf<"presigned">,
): SignerStep => ({
  state: withSession(state, { ...session, stage: "presigned", awaiting: [] }),
  effects: [
    ...sends(session, state.config.self, send),
    { kind: "compute", session: session.run, task: { kind: "export-presignature" } },
  ],
});

/**
 * The presignature is there: first the request's nonce (INV-4) and the tombstone (INV-2) become durable in one step, only then is
 * a partial signature made. From here on the session's presignature is spent, whatever happens.
 */
const spend = (state: SignerState, session: OpenSession, result: ResultOf<"presigned">): SignerStep => {
  const { purpose } = session;
  if (purpose.protocol !== "signing" || session.isSpent)
    throw new Error("a presignature is made once (INV-2)");
  const { requestId, nonce, keyId, requestForgetAtMs } = purpose;
  const digest = purpose.digest.bytes;
  const conflict = nonceConflict(state, purpose);
  if (conflict !== undefined) return endWith(state, session, { kind: "refusal", problem: conflict });

  const forgetAtMs = lookUp(state.remembered, session.given) ?? session.expiresAtMs;
  const tombstone = { version: 1, digest, keyId, requestId, nonce, forgetAtMs } as const;
  const bound = bindRequest(state.requests, purpose, requestForgetAtMs);
  const bury = { record: RECORDS.tombstone.name(session.given), value: RECORDS.tombstone.write(tombstone) };
  return {
    state: withSession(
      { ...state, requests: bound.requests },
      { ...session, isSpent: true, stage: "presigned", awaiting: [] },
    ),
    effects: [
      ...sends(session, state.config.self, result.send),
      { kind: "batch", puts: [...bound.puts, bury], erases: [], sync: true },
      { kind: "compute", session: session.run, task: { kind: "open-signing", digest } },
    ],
  };
};

const finishSigning = (
  state: SignerState,
  session: OpenSession,
  result: ResultOf<"signature">,
): SignerStep => {
  const { purpose } = session;
  if (purpose.protocol !== "signing" || !session.isSpent) {
    throw new Error("no signature without a tombstone (INV-2)");
  }
  const effects = sends(session, state.config.self, result.send);
  const { signature } = result;
  return andThen({ state, effects }, (sent) =>
    endWith(sent, session, { kind: "signature", signature, digest: purpose.digest.bytes }),
  );
};

const finishMessage = (
  state: SignerState,
  session: OpenSession,
  { signature, send }: ResultOf<"frost-signature">,
): SignerStep => {
  const { purpose } = session;
  if (purpose.protocol !== "message") throw new Error("only a session for a message signs one");
  const { publicKey } = purpose;
  return andThen({ state, effects: sends(session, state.config.self, send) }, (sent) =>
    endWith(sent, session, { kind: "message-signature", signature, publicKey }),
  );
};

/** A peer cheated: the session is burnt, the evidence reported, and nobody signs with the peer for a while (P15). */
const blame = (
  state: SignerState,
  session: OpenSession,
  { fault, send }: ResultOf<"fault">,
  nowMs: number,
): SignerStep => {
  const quarantine = new Map(state.quarantine).set(fault.culprit, nowMs + QUARANTINE_MS);
  const effects = sends(session, state.config.self, send);
  return andThen({ state: { ...state, quarantine }, effects }, (sent) =>
    endWith(sent, session, { kind: "fault", fault }),
  );
};
