import type { PartyIndex } from "../fault.ts";
import { peersOf } from "./config.ts";
import { ENVELOPE_KIND, type EnvelopeKind } from "./envelope.ts";
import { find } from "./mailbox.ts";
import type { Expectation } from "./round.ts";
import type { Session } from "./session.ts";

const expectedKinds = ({ broadcast, direct }: Expectation, hasEchoed: boolean): readonly EnvelopeKind[] => [
  ...(broadcast === "none" ? [] : [ENVELOPE_KIND.broadcast]),
  ...(broadcast === "echo" && hasEchoed ? [ENVELOPE_KIND.echo] : []),
  ...(direct === "none" ? [] : [ENVELOPE_KIND.direct]),
];

/**
 * The peers whose messages the current round still lacks, which a timeout may call silent. A peer owes its
 * echo only after we sent ours, since it may itself wait for a third party before. Empty once the session has
 * ended.
 */
export const awaited = (session: Session<unknown>): readonly PartyIndex[] => {
  const { config, waiting } = session;
  if (waiting === undefined) return [];
  const { round, mailbox, hasEchoed } = waiting;
  const kinds = expectedKinds(round.expects, hasEchoed);
  return peersOf(config).filter((from) =>
    kinds.some((kind) => find(mailbox, round.number, kind, from) === undefined),
  );
};
