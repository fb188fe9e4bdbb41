import { cannotBeShown, evidenceOf } from "@conclave/threshold";
import type { ComputeResult } from "../../compute/task.ts";
import type { SessionKey } from "../../control/session-key.ts";
import { keepAuxiliary } from "../auxiliary/keep-auxiliary.ts";
import { keepNext } from "../key-change/next-share.ts";
import { releaseDealer } from "../key-change/release-dealer.ts";
import { finishExport } from "../key-export/begin-export.ts";
import { keepKey, refuseImport } from "../key-generation/keep-key.ts";
import { exportPresignature, keepPresignature } from "../presigning/begin-presigning.ts";
import { endSessionsWithQuarantined, putInQuarantine } from "../quarantine/quarantine.ts";
import { FROST_STAGE } from "../signing/begin-signing.ts";
import { takePresigned, takeSignature } from "../signing/finish-signing.ts";
import {
  andThen,
  endWith,
  type OpenSession,
  type SignerState,
  type SignerStep,
  unchanged,
  withSession,
} from "../state.ts";
import { sends } from "./sends.ts";

type ResultOf<Kind extends ComputeResult["kind"]> = Extract<ComputeResult, { readonly kind: Kind }>;

/** Handles the host's result of a task. Results of sessions that have ended are dropped. */
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
    case "dealer-released":
      return releaseDealer(state, session, result, sends(session, state.config.self, result.send));
    case "presigned":
      return session.purpose.protocol === "presigning"
        ? exportPresignature(state, session, result)
        : takePresigned(state, session, sends(session, state.config.self, result.send), nowMs);
    case "presignature":
      return keepPresignature(state, session, result, nowMs);
    case "signature":
    case "frost-signature":
      return takeSignature(state, session, result, sends(session, state.config.self, result.send));
    case "fault":
      return blame(state, session, result, nowMs);
    case "abort":
      return endWith(state, session, { kind: "failure", reason: result.check, silent: [] });
  }
};

const goOn = (state: SignerState, session: OpenSession, result: ResultOf<"running">): SignerStep => {
  const { stage, awaiting, phase } = result;
  const { purpose } = session;
  const effects = sends(session, state.config.self, result.send);
  // FROST signs within moments, so its progress is reported once
  const isFrost = purpose.protocol === "signing" && purpose.scheme !== "CGGMP24";
  const isSaid = isFrost && session.stage !== FROST_STAGE;
  if (stage !== session.stage && !isSaid) {
    const { keyId, epoch } = session.attempt;
    const isSigning = purpose.protocol === "signing" || purpose.protocol === "presigning";
    const key = isSigning && keyId !== undefined ? { key: { keyId, epoch } } : {};
    effects.push({ kind: "report", call: session.call, report: { kind: "progress", stage, ...key } });
  }
  const announcements = result.send.length === 0 ? session.announcements : [];
  return { state: withSession(state, { ...session, stage, awaiting, phase, announcements }), effects };
};

/**
 * Handles a peer's cheating: first the peer is put in quarantine (P15), then the session ends and the evidence is
 * reported. A fault that only this signer can see is only reported: the coordinator keeps the two of us apart, unless
 * there is no other quorum.
 */
const blame = (
  state: SignerState,
  session: OpenSession,
  { fault, send }: ResultOf<"fault">,
  nowMs: number,
): SignerStep => {
  const evidence = evidenceOf(session.attempt, fault);
  const noted = cannotBeShown(fault.check) ? unchanged(state) : putInQuarantine(state, evidence, nowMs);
  const sent = andThen(noted, (next) => ({ state: next, effects: sends(session, state.config.self, send) }));
  const reported = andThen(sent, (next) => endWith(next, session, { kind: "fault", evidence }));
  return andThen(reported, endSessionsWithQuarantined);
};
