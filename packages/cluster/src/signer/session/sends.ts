import type { Envelope } from "@conclave/threshold";
import type { SignerEffect } from "../effect.ts";
import type { OpenSession } from "../state.ts";

/**
 * The messages of a session, one effect for each receiver, as each link has its own queue. The session's announcements
 * go ahead.
 *
 * @param self this signer, which receives none
 */
export const sends = (
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
