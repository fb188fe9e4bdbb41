import { type Envelope, SIGNING_ROUND } from "@conclave/threshold";
import { insecurePartySecrets, signEnvelope, testParty } from "@conclave/threshold/testing";
import type { Wire } from "./cluster.ts";

/** A wire on which one signer sends changed payloads with valid signatures. */
export const cheating = (
  culprit: number,
  when: (envelope: Envelope, to: number) => boolean,
  change: (payload: Uint8Array) => Uint8Array = flipLastBit,
): Wire => {
  const { identity } = insecurePartySecrets(testParty(culprit));
  return (transit) => {
    const { envelope, to } = transit;
    if (envelope.from !== culprit || !when(envelope, to)) return [transit];
    const { session, round, kind, from } = envelope;
    const header = { session, round, kind, from, to: envelope.to };
    return [{ ...transit, envelope: signEnvelope(header, change(envelope.payload), identity) }];
  };
};

export const flipLastBit = (payload: Uint8Array): Uint8Array =>
  payload.with(payload.length - 1, (payload.at(-1) ?? 0) ^ 1);

/**
 * A cheat with wrong partial signatures that receives no right one, so it has no signature to report before the others
 * report the cheat.
 */
export const badPartial = (culprit: number): Wire => {
  const lying = cheating(culprit, ({ round }) => round === SIGNING_ROUND);
  return (transit) =>
    transit.to === culprit && transit.envelope.round === SIGNING_ROUND ? [] : lying(transit);
};
