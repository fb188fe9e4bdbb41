import { problem } from "@conclave/custody";
import type { AuxiliaryPrimes, Secret } from "@conclave/threshold";
import { allParties } from "../config.ts";
import type { Asked } from "../event.ts";
import { begin, newSession, openInHost, refuse, whyNotBegin } from "../session/begin.ts";
import { runKey } from "../session/run-id.ts";
import { andThen, type OpenSession, type SignerState, type SignerStep, unchanged } from "../state.ts";

type BeginAuxiliary = Asked<"auxiliary">;

const EPOCH_MAX = 2 ** 32 - 1;

/** Begins auxiliary generation: one at a time, for an epoch above the one we have. Asks for primes first. */
export const beginAuxiliary = (state: SignerState, event: BeginAuxiliary, nowMs: number): SignerStep => {
  const { config } = state;
  const { call, session: given, epoch } = event;
  const reason = whyNotBegin(state, event, nowMs);
  if (reason !== undefined) return refuse(state, call, reason);
  const current = state.auxiliary?.epoch ?? 0;
  if (!Number.isSafeInteger(epoch) || epoch <= current || epoch > EPOCH_MAX) {
    return refuse(state, call, problem("InvalidBody", {}, `The epoch must be above ${current}.`));
  }
  if ([...state.sessions.values()].some(({ purpose }) => purpose.protocol === "auxiliary")) {
    return refuse(state, call, problem("TooManySessions", {}, "Auxiliary generation is under way already."));
  }
  const parties = allParties(config);
  const { run, attempt } = runKey(config, {
    given,
    expiresAtMs: event.expiresAtMs,
    protocol: "auxiliary",
    keyId: "",
    epoch,
    parties,
    agreed: [],
  });
  const stage = "auxiliary/primes";
  const purpose = { protocol: "auxiliary", epoch } as const;
  const session = newSession({ ...event, run, attempt, parties, purpose, stage });
  return andThen(begin(state, session), (begun) => ({
    state: begun,
    effects: [
      { kind: "report", call, report: { kind: "progress", stage } },
      { kind: "primes", session: run, parameters: config.parameters },
    ],
  }));
};

/** Primes have come: the session opens in the host. Those of a session that ended meanwhile are thrown away. */
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
