import type { PartyIndex } from "../../fault.ts";
import type { Envelope, EnvelopeHeader, EnvelopeKind } from "../../session/envelope.ts";
import { signEnvelope } from "../../session/envelope.ts";
import type { Expectation } from "../../session/round.ts";
import { seal, unseal } from "../../session/seal.ts";
import { seededEntropy } from "../seeded-entropy.ts";
import { insecurePartySecrets, insecurePeerKeys, type Transit } from "../session-network.ts";

/** What a cheat sends in the place of one of its honest messages. */
export interface Lie {
  readonly round: number;
  readonly kind: EnvelopeKind;
  /** who hears it; the others get the honest message */
  readonly to: PartyIndex | "all";
  /** what is sent instead of the honest envelope to this receiver; none when nothing is */
  readonly tell: (honest: Envelope, receiver: PartyIndex) => readonly Envelope[];
}

export const isLieAbout = ({ round, kind, to }: Lie, { envelope, to: receiver }: Transit): boolean =>
  envelope.round === round && envelope.kind === kind && (to === "all" || to === receiver);

/** An envelope changed and signed anew. */
export const resign = (
  envelope: Envelope,
  change: Partial<Omit<Envelope, "signature">>,
  signer: PartyIndex,
): Envelope => {
  const { payload, session, round, kind, from, to } = { ...envelope, ...change };
  return signEnvelope({ session, round, kind, from, to }, payload, insecurePartySecrets(signer).identity);
};

/** What is inside an envelope to this receiver, sealed or not. */
export const openPayload = (envelope: Envelope, receiver: PartyIndex, direct: Expectation["direct"]) => {
  if (envelope.to === 0 || direct !== "sealed") return envelope.payload;
  const opened = unseal(envelope.payload, insecurePartySecrets(receiver).encryption, envelope);
  if (opened === undefined) throw new Error("an honest sealed message does not open");
  return opened;
};

/** A payload as it travels to this receiver: sealed when its round wants it sealed. */
export const closePayload = (
  payload: Uint8Array,
  header: EnvelopeHeader,
  receiver: PartyIndex,
  direct: Expectation["direct"],
): Uint8Array =>
  header.to === 0 || direct !== "sealed"
    ? payload
    : seal(payload, insecurePeerKeys(receiver).encryption, header, seededEntropy("lie"));
