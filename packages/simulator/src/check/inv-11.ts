import { ERRORS } from "@conclave/custody";
import type { TriedRequest } from "../client/client-process.ts";
import type { Violation } from "./violation.ts";

/** An organisation, and the ids of all that is its own. */
export interface Owner {
  readonly orgId: string;
  readonly ids: readonly string[];
}

/** A text that an organisation heard: the answer to a request, or a delivery to its webhook. */
export interface HeardText {
  readonly orgId: string;
  /** the question, with the ids that it named */
  readonly asked: string;
  readonly text: string;
}

/** INV-11: nothing that an organisation hears names a thing of another one, but for ids that it named itself. */
export const heardOfOthers = (heard: readonly HeardText[], owners: readonly Owner[]): readonly Violation[] =>
  heard.flatMap(({ orgId, asked, text }) => {
    const others = owners.filter((owner) => owner.orgId !== orgId).flatMap(({ ids }) => ids);
    const found = others.find((id) => text.includes(id) && !asked.includes(id));
    return found === undefined
      ? []
      : [{ invariant: "INV-11", words: `${orgId} asked for ${asked}, and heard of ${found} of another` }];
  });

const NOT_FOUND = 404;
const AWAY = 503;
const TOO_MANY = 429;
/** A refusal as if there were no such thing, and answers after which a client asks again. */
const UNTELLING: readonly number[] = [NOT_FOUND, AWAY, TOO_MANY];

/** INV-11: a request for a thing of another organisation is refused as if there were no such thing. */
export const sawOthers = ({ name, isForeign, orgId, answers }: TriedRequest): readonly Violation[] => {
  if (!isForeign) return [];
  const telling = answers.filter(
    (answer) => answer === "accepted" || !UNTELLING.includes(ERRORS[answer].status),
  );
  return telling.map((answer) => ({
    invariant: "INV-11",
    words: `${orgId} asks for ${name} of another organisation: ${answer}`,
  }));
};
