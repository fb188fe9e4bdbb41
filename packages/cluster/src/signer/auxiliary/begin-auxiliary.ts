import { fail, ok, type Problem, problem, type Result } from "@conclave/custody";
import { type AuxiliaryPrimes, EPOCH_BYTES, type Secret } from "@conclave/threshold";
import { numberToBytesBE } from "@noble/curves/utils.js";
import { allParties } from "../config.ts";
import { whyNotNumber } from "../epoch/numbers.ts";
import type { Asked } from "../event.ts";
import { FIRST_EPOCH_MAX } from "../limits.ts";
import { authorisedAuxiliary } from "../session/authorise.ts";
import { begin, newSession, openInHost, refuse, whyNotBegin } from "../session/begin.ts";
import { runKey } from "../session/run-id.ts";
import { andThen, type OpenSession, type SignerState, type SignerStep, unchanged } from "../state.ts";

type BeginAuxiliary = Asked<"auxiliary">;

/** The epoch to replace, and the new one. */
interface Step {
  readonly from: number;
  readonly to: number;
}

/** Begins auxiliary generation, one at a time. Requests primes first. */
export const beginAuxiliary = (state: SignerState, event: BeginAuxiliary, nowMs: number): SignerStep => {
  const { config } = state;
  const { call, session: given } = event;
  const reason = whyNotBegin(state, event, nowMs);
  if (reason !== undefined) return refuse(state, call, reason);
  const permitted =
    event.authorisation === undefined ? firstEpoch(state, event) : nextEpoch(state, event, nowMs);
  if (!permitted.ok) return refuse(state, call, permitted.problem);
  if ([...state.sessions.values()].some(({ purpose }) => purpose.protocol === "auxiliary")) {
    return refuse(state, call, problem("TooManySessions", {}, "Auxiliary generation is under way already."));
  }
  const { from, to: epoch } = permitted.value;
  const parties = allParties(config);
  const runId = runKey(config, {
    given,
    expiresAtMs: event.expiresAtMs,
    protocol: "auxiliary",
    keyId: "",
    epoch,
    parties,
    agreed: [numberToBytesBE(from, EPOCH_BYTES)],
    lives: event.lives,
  });
  if (!runId.ok) return refuse(state, call, runId.problem);
  const { run, attempt } = runId.value;
  const stage = "auxiliary/primes";
  const purpose = { protocol: "auxiliary", from, epoch } as const;
  const session = newSession({ ...event, run, attempt, parties, purpose, stage });
  return andThen(begin(state, session, nowMs), (begun) => ({
    state: begun,
    effects: [
      { kind: "report", call, report: { kind: "progress", stage } },
      { kind: "primes", session: run, parameters: config.parameters },
    ],
  }));
};

/**
 * Permits the first epoch, which needs no authorisation: no auxiliary info is active here, so nothing is signed with it
 * and nothing can be lost. An earlier attempt may have had the same number: records of attempts are distinguished by
 * session and digest.
 */
const firstEpoch = ({ auxiliary }: SignerState, { epoch }: BeginAuxiliary): Result<Step> => {
  if (auxiliary !== undefined) {
    const exact = "This signer has auxiliary information: to replace it takes the authority.";
    return fail("AuthorisationInvalid", { epoch: auxiliary.epoch }, exact);
  }
  const isFirst = Number.isSafeInteger(epoch) && epoch > 0 && epoch <= FIRST_EPOCH_MAX;
  if (isFirst) return ok({ from: 0, to: epoch });
  return fail("EpochRefused", {}, `The first epoch is one of 1 to ${FIRST_EPOCH_MAX}.`);
};

/** Permits a later epoch: the authority names the epoch to replace and the new one. */
const nextEpoch = (state: SignerState, event: BeginAuxiliary, nowMs: number): Result<Step> => {
  const { config, auxiliary, pendingAuxiliary } = state;
  if (event.authorisation === undefined) return fail("AuthorisationInvalid");
  const authorised = authorisedAuxiliary(config, event.authorisation, nowMs);
  if (!authorised.ok) return authorised;
  const { from, epoch: to, parties } = authorised.value.value;
  const flaw = flawOf(state, event, { from, to, parties });
  if (flaw !== undefined) return { ok: false, problem: flaw };
  // a signer that lost its disk, or lags behind, takes part in replacing the others' epoch
  const pending = pendingAuxiliary.map(({ epoch }) => epoch);
  const active = Math.max(auxiliary?.epoch ?? 0, from);
  const reason = whyNotNumber(to, active, pending);
  return reason === undefined ? ok({ from, to }) : { ok: false, problem: reason };
};

const flawOf = (
  { config, auxiliary }: SignerState,
  { epoch: asked }: BeginAuxiliary,
  { from, to, parties }: Step & { readonly parties: readonly number[] },
): Problem | undefined => {
  if (to !== asked) return problem("AuthorisationInvalid", {}, "The authorisation is for another epoch.");
  const roster = allParties(config);
  const isRoster = parties.length === roster.length && parties.every((party, at) => party === roster[at]);
  if (!isRoster) return problem("QuorumInvalid", {}, "Auxiliary information is for the whole roster.");
  const active = auxiliary?.epoch ?? 0;
  return active > from
    ? problem("EpochRefused", { active }, `Epoch ${active} is active, and not ${from}.`)
    : undefined;
};

/** Takes fresh primes, and opens the session in the host. Primes of a session that has ended are thrown away. */
export const takePrimes = (
  state: SignerState,
  run: OpenSession["run"],
  primes: Secret<AuxiliaryPrimes>,
): SignerStep => {
  const session = state.sessions.get(run);
  if (session === undefined || session.isOpened || session.purpose.protocol !== "auxiliary") {
    return unchanged(state);
  }
  const { parties, purpose } = session;
  return openInHost(state, session, { kind: "open-auxiliary", parties, epoch: purpose.epoch, primes });
};
