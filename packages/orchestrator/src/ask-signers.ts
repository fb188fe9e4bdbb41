import { endsRequest, type SigningResult } from "@conclave/cluster";
import type { Problem, SignedAuthorisation, World } from "@conclave/custody";
import { isCurrent } from "./current-authorisation.ts";
import type { SigningPort, SigningRequest } from "./signing-port.ts";

/** Interval for a request while too few signers live: signing resumes within a second of their return. */
const SIGNERS_AWAY_MS = 400;
const SIGNING_FAILED_MS = 500;
const NOT_CURRENT_MS = 1_000;

/** The outcome of asking the signers. */
export type Answer =
  | { readonly kind: "signed"; readonly result: SigningResult }
  /** a final refusal */
  | { readonly kind: "refused"; readonly problem: Problem }
  /** not now: the signers are asked again later */
  | { readonly kind: "later"; readonly reason: string; readonly afterMs: number };

const later = (reason: string, afterMs: number): Answer => ({ kind: "later", reason, afterMs });

/** The signers that are asked, and the clock. */
export interface Asking {
  readonly quorum: SigningPort;
  readonly world: World;
}

/** The reason not to ask the signers now; undefined when they can be asked. */
export const whyNotAsk = (
  { quorum, world }: Asking,
  authorisation: SignedAuthorisation,
): Extract<Answer, { kind: "later" }> | undefined => {
  const reason = quorum.shortage();
  if (reason !== undefined) return { kind: "later", reason, afterMs: SIGNERS_AWAY_MS };
  return isCurrent(world, authorisation)
    ? undefined
    : { kind: "later", reason: "waiting for the gateway to authorise it anew", afterMs: NOT_CURRENT_MS };
};

/**
 * Asks the signers to sign, whatever the content. An outage passes; a refusal is final.
 * @param waiting called with the reason while signing is held up
 */
export const askSigners = async (
  { quorum, world }: Asking,
  request: SigningRequest,
  waiting: (reason: string) => void,
): Promise<Answer> => {
  const obstacle = whyNotAsk({ quorum, world }, request.authorisation);
  if (obstacle !== undefined) return obstacle;
  let reason: string | undefined;
  const outcome = await quorum.sign(request, (why) => {
    reason = why;
    waiting(why);
  });
  switch (outcome.kind) {
    case "done":
      return { kind: "signed", result: outcome.value };
    case "failed": {
      const { problem } = outcome;
      return endsRequest(problem.code)
        ? { kind: "refused", problem }
        : later(problem.message, SIGNING_FAILED_MS);
    }
    case "stopped":
      return later(quorum.shortage() ?? reason ?? "waiting for signers", SIGNERS_AWAY_MS);
  }
};
