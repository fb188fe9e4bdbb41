import type { PartyIndex } from "../../fault.ts";
import type { Envelope, EnvelopeHeader, EnvelopeKind } from "../../session/envelope.ts";
import { signEnvelope } from "../../session/envelope.ts";
import type { Expectation } from "../../session/round.ts";
import { seal, unseal } from "../../session/seal.ts";
import { seededEntropy } from "../seeded-entropy.ts";
import { insecurePartySecrets, insecurePeerKeys, type Transit } from "../session-network.ts";

/** The messages that a cheat sends in place of one honest message. */
export interface Lie {
  readonly round: number;
  readonly kind: EnvelopeKind;
  /** the receiver of the lie; all others receive the honest message */
  readonly to: PartyIndex | "all";
  /** the envelopes that this receiver gets in place of the honest one; none for silence */
  readonly forge: (honest: Envelope, receiver: PartyIndex) => readonly Envelope[];
}

export const isLieAbout = ({ round, kind, to }: Lie, { envelope, to: receiver }: Transit): boolean =>
  envelope.round === round && envelope.kind === kind && (to === "all" || to === receiver);

/** An envelope with changes, signed again. */
export const resign = (
  envelope: Envelope,
  change: Partial<Omit<Envelope, "signature">>,
  signer: PartyIndex,
): Envelope => {
  const { payload, session, round, kind, from, to } = { ...envelope, ...change };
  return signEnvelope({ session, round, kind, from, to }, payload, insecurePartySecrets(signer).identity);
};

/** The payload of an envelope to this receiver, unsealed if sealed. */
export const openPayload = (envelope: Envelope, receiver: PartyIndex, direct: Expectation["direct"]) => {
  if (envelope.to === 0 || direct !== "sealed") return envelope.payload;
  const opened = unseal(envelope.payload, insecurePartySecrets(receiver).encryption, envelope);
  if (opened === undefined) throw new Error("an honest sealed message does not open");
  return opened;
};

/** A payload in the form for this receiver: sealed if its round requires it. */
export const closePayload = (
  payload: Uint8Array,
  header: EnvelopeHeader,
  receiver: PartyIndex,
  direct: Expectation["direct"],
): Uint8Array =>
  header.to === 0 || direct !== "sealed"
    ? payload
    : seal(payload, insecurePeerKeys(receiver).encryption, header, seededEntropy("lie"));
