import { problem } from "@conclave/custody";
import { authorisedKey } from "./authorise.ts";
import { begin, newSession, openInHost, refuse, whyNotBegin } from "./begin.ts";
import { allParties } from "./config.ts";
import type { SignerEvent } from "./event.ts";
import { KEY_EPOCH_FIRST } from "./key-epoch.ts";
import { KEYS_MAX } from "./limits.ts";
import { lookUp } from "./persistent-map.ts";
import { runKey } from "./run-id.ts";
import { andThen, type SignerState, type SignerStep } from "./state.ts";

type BeginKey = Extract<SignerEvent, { readonly kind: "begin-key" }>;

/** Begins key generation, when the authority asks for this very key with the roster's threshold. */
export const beginKey = (state: SignerState, event: BeginKey, nowMs: number): SignerStep => {
  const { config } = state;
  const { call, session: given } = event;
  const reason = whyNotBegin(state, event, nowMs);
  if (reason !== undefined) return refuse(state, call, reason);
  const authorised = authorisedKey(config, event.authorisation, nowMs);
  if (!authorised.ok) return refuse(state, call, authorised.problem);
  const { keyId, threshold } = authorised.value.value;
  const scheme = authorised.value.value.scheme === "ECDSA" ? "CGGMP24" : authorised.value.value.scheme;
  if (threshold !== config.threshold) {
    const exact = `The threshold of this cluster is ${config.threshold}, not ${threshold}.`;
    return refuse(state, call, problem("QuorumInvalid", {}, exact));
  }
  const isUnderWay = [...state.sessions.values()].some(
    ({ purpose }) => purpose.protocol === "key" && purpose.keyId === keyId,
  );
  const isHeld = lookUp(state.keys, keyId) !== undefined || lookUp(state.next, keyId) !== undefined;
  if (isUnderWay || isHeld) return refuse(state, call, problem("KeyExists"));
  if (state.keys.size >= KEYS_MAX) return refuse(state, call, problem("TooManySessions"));

  const parties = allParties(config);
  const epoch = KEY_EPOCH_FIRST;
  const run = runKey(config, {
    given,
    expiresAtMs: event.expiresAtMs,
    protocol: "key",
    keyId,
    scheme,
    epoch,
    parties,
    agreed: [],
  });
  const purpose = { protocol: "key", keyId, scheme } as const;
  const session = newSession({ ...event, run, parties, purpose, stage: "keygen" });
  return andThen(begin(state, session), (begun) =>
    openInHost(begun, session, { kind: "open-key", parties, keyId, scheme, threshold, epoch }),
  );
};
