import type { Envelope, PartyIndex } from "@conclave/threshold";
import type { SessionKey } from "../../control/session-key.ts";
import { MAIL_AGE_MS_MAX, MAIL_BYTES_PER_PEER_MAX, MAIL_ENVELOPES_PER_PEER_MAX } from "../limits.ts";

/** An envelope for a session that is not open in the compute host yet. */
export interface Waiting {
  readonly from: PartyIndex;
  readonly envelope: Envelope;
  readonly arrivedAtMs: number;
}

/**
 * Envelopes of peers that began sooner than this signer. Each peer has its own limit, so that a flood by one takes no
 * room from the others.
 */
export interface Mail {
  readonly boxes: ReadonlyMap<SessionKey, readonly Waiting[]>;
  readonly used: ReadonlyMap<PartyIndex, Used>;
}

interface Used {
  readonly envelopes: number;
  readonly bytes: number;
}

export const EMPTY_MAIL: Mail = { boxes: new Map(), used: new Map() };
const NOTHING: Used = { envelopes: 0, bytes: 0 };

const account = (boxes: Mail["boxes"]): Mail["used"] => {
  const used = new Map<PartyIndex, Used>();
  for (const { from, envelope } of [...boxes.values()].flat()) {
    const { envelopes, bytes } = used.get(from) ?? NOTHING;
    used.set(from, { envelopes: envelopes + 1, bytes: bytes + envelope.payload.length });
  }
  return used;
};

/** Keeps an envelope, unless its sender has used up its room. */
export const keepEarly = (mail: Mail, session: SessionKey, waiting: Waiting): Mail => {
  const { from, envelope } = waiting;
  const { envelopes, bytes } = mail.used.get(from) ?? NOTHING;
  const used: Used = { envelopes: envelopes + 1, bytes: bytes + envelope.payload.length };
  if (used.envelopes > MAIL_ENVELOPES_PER_PEER_MAX || used.bytes > MAIL_BYTES_PER_PEER_MAX) return mail;
  const box = [...(mail.boxes.get(session) ?? []), waiting];
  return { boxes: new Map(mail.boxes).set(session, box), used: new Map(mail.used).set(from, used) };
};

/** Empties the box of a session, oldest first. */
export const takeMail = (
  mail: Mail,
  session: SessionKey,
): { readonly mail: Mail; readonly taken: readonly Waiting[] } => {
  const taken = mail.boxes.get(session);
  if (taken === undefined) return { mail, taken: [] };
  const boxes = new Map(mail.boxes);
  boxes.delete(session);
  return { mail: { boxes, used: account(boxes) }, taken };
};

/** Drops envelopes that waited too long for a session that never began; those of `begun` sessions stay. */
export const expireMail = (mail: Mail, begun: { has(session: SessionKey): boolean }, nowMs: number): Mail => {
  const boxes = new Map<SessionKey, readonly Waiting[]>();
  for (const [session, box] of mail.boxes) {
    const fresh = box.filter(
      ({ arrivedAtMs }) => begun.has(session) || nowMs - arrivedAtMs <= MAIL_AGE_MS_MAX,
    );
    if (fresh.length > 0) boxes.set(session, fresh);
  }
  return { boxes, used: account(boxes) };
};
