import { type Problem, problem } from "@conclave/custody";
import type { PartyIndex } from "@conclave/threshold";
import type { ComputeResult } from "../../compute/task.ts";
import type { Asked } from "../event.ts";
import {
  PRESIGNATURE_AGE_MS_MAX,
  PRESIGNATURES_MAX,
  PRESIGNATURES_PER_SET_MAX,
  PRESIGNINGS_MAX,
} from "../limits.ts";
import { whyUnconfirmed } from "../older-store/lost-time.ts";
import { storedKey } from "../records/key-records.ts";
import { lookUp } from "../records/persistent-map.ts";
import { RECORDS } from "../records/record.ts";
import { begin, newSession, openInHost, refuse, whyNotBegin } from "../session/begin.ts";
import { runKey } from "../session/run-id.ts";
import { sends } from "../session/sends.ts";
import { infoDigest } from "../signing/info-digest.ts";
import { holdersOfKey, materialFor, quorumOf } from "../signing/signing-material.ts";
import {
  andThen,
  endWith,
  type OpenSession,
  type SignerState,
  type SignerStep,
  withSession,
} from "../state.ts";
import { isSameSet, readyWhere, withReady } from "./pool.ts";

type BeginPresigning = Asked<"presigning">;
type Presigned = Extract<ComputeResult, { readonly kind: "presigned" }>;
type Exported = Extract<ComputeResult, { readonly kind: "presignature" }>;

/**
 * Begins to make a presignature for the pool. It needs no authorisation, as it signs nothing, and the limits of the
 * pool bound its cost. The run id binds key, epoch, quorum and auxiliary info, and so does the presignature's id.
 */
export const beginPresigning = (state: SignerState, event: BeginPresigning, nowMs: number): SignerStep => {
  const { call, session: given, keyId } = event;
  const reason = whyNotBegin(state, event, nowMs);
  if (reason !== undefined) return refuse(state, call, reason);
  const material = materialFor(state, keyId);
  if (!material.ok) return refuse(state, call, material.problem);
  const quorum = quorumOf(state, event.quorum, [material.value.key]);
  if (!quorum.ok) return refuse(state, call, quorum.problem);
  const notNow = whyNoRoom(state, keyId, quorum.value) ?? whyUnconfirmed(state);
  if (notNow !== undefined) return refuse(state, call, notNow);

  const { key, auxiliary } = material.value;
  const signers = quorum.value;
  const protocol = "presigning";
  const { epoch } = key;
  const agreed = [infoDigest(key), auxiliary.digest];
  const runId = runKey(state.config, {
    given,
    expiresAtMs: event.expiresAtMs,
    protocol,
    keyId,
    epoch,
    parties: signers,
    holders: holdersOfKey(key),
    agreed,
    lives: event.lives,
  });
  if (!runId.ok) return refuse(state, call, runId.problem);
  const { run, attempt } = runId.value;
  const purpose = { protocol, keyId, epoch, auxiliaryEpoch: auxiliary.epoch } as const;
  const session = newSession({ ...event, run, attempt, parties: signers, purpose, stage: "presign" });
  return andThen(begin(state, session, nowMs), (begun) =>
    openInHost(begun, session, {
      kind: "open-presigning",
      purpose: "pool",
      signers,
      key: key.share,
      auxiliary: auxiliary.info,
    }),
  );
};

/** The reason to make no presignature of this set now. Presignatures that are being made count as ready. */
const whyNoRoom = (
  { pool, sessions }: SignerState,
  keyId: string,
  signers: readonly PartyIndex[],
): Problem | undefined => {
  const making = [...sessions.values()].filter(({ purpose }) => purpose.protocol === "presigning");
  if (making.length >= PRESIGNINGS_MAX) return problem("TooManySessions");
  const set = { keyId, signers };
  const ofSet = making.filter(
    ({ purpose, parties }) =>
      purpose.protocol === "presigning" && isSameSet({ keyId: purpose.keyId, signers: parties }, set),
  );
  const waiting = readyWhere(pool, (each) => isSameSet(each, set), PRESIGNATURES_PER_SET_MAX);
  const isFull =
    pool.ready.size + making.length >= PRESIGNATURES_MAX ||
    waiting.length + ofSet.length >= PRESIGNATURES_PER_SET_MAX;
  return isFull ? problem("PoolFull") : undefined;
};

/** Asks the host for a presignature that is made, to put it into the pool; the host keeps no copy. */
export const exportPresignature = (
  state: SignerState,
  session: OpenSession,
  { send }: Presigned,
): SignerStep => ({
  state: withSession(state, { ...session, stage: "presigned", awaiting: [] }),
  effects: [
    ...sends(session, state.config.self, send),
    { kind: "compute", session: session.run, task: { kind: "export-presignature" } },
  ],
});

/**
 * Keeps the presignature in memory alone, like the nonces of FROST: the store never holds one, so neither a restart nor
 * a copy of the disk can restore one (INV-2).
 */
export const keepPresignature = (
  state: SignerState,
  session: OpenSession,
  { id, presignature }: Exported,
  nowMs: number,
): SignerStep => {
  const { purpose, parties } = session;
  if (purpose.protocol !== "presigning") throw new Error("only what presigning made goes to the pool");
  const { keyId, epoch, auxiliaryEpoch } = purpose;
  const failed = (reason: string): SignerStep =>
    endWith(state, session, { kind: "failure", reason, silent: [] });
  const key = storedKey(state, keyId);
  const isKeyAsItWas = key?.state === "active" && key.epoch === epoch;
  if (state.auxiliary?.epoch !== auxiliaryEpoch || !isKeyAsItWas) {
    return failed("the key or the auxiliary info changed while the presignature was made");
  }
  if (lookUp(state.pool.ready, id) !== undefined || state.history(RECORDS.spent.name(id)) !== undefined) {
    return failed("a presignature of this id was made before");
  }
  const expiresAtMs = nowMs + PRESIGNATURE_AGE_MS_MAX;
  const waiting = {
    keyId,
    epoch,
    auxiliaryEpoch,
    signers: parties,
    createdAtMs: nowMs,
    expiresAtMs,
    secret: presignature,
  };
  const kept: SignerState = { ...state, pool: withReady(state.pool, id, waiting) };
  return endWith(kept, session, { kind: "presigned", id, expiresAtMs });
};
