import type { OrganisationId } from "@conclave/custody";

/** An answer that a client heard, also one that came too late. */
export interface HeardAnswer {
  /** the organisation that asked */
  readonly orgId: OrganisationId;
  /** the question, with the ids that it named */
  readonly asked: string;
  /** the whole answer */
  readonly text: string;
}

/** A text of an answer, in which bytes are characters of Latin-1, and hex. */
export const answerAsText = (answer: unknown): string =>
  JSON.stringify(answer, (_, part: unknown) => {
    if (typeof part === "bigint") return part.toString();
    if (!(part instanceof Uint8Array)) return part;
    const bytes = Buffer.from(part);
    return `${bytes.toString("latin1")} ${bytes.toString("hex")}`;
  });
