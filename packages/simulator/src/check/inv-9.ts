import { ERRORS } from "@conclave/custody";
import type { TriedRequest } from "../client/client-process.ts";
import type { Owner } from "./inv-11.ts";
import type { Violation } from "./violation.ts";

type Answer = TriedRequest["answers"][number];

const TOO_MANY = 429;
const AWAY = 503;

const statusOf = (answer: Answer): number => (answer === "accepted" ? 200 : ERRORS[answer].status);

/** Whether an answer is a 4xx that another attempt does not change. */
const isRefusal = (answer: Answer): boolean => {
  const status = statusOf(answer);
  return status >= 400 && status < 500 && status !== TOO_MANY;
};

/** Whether no further answer to a request is waited for. */
export const isSettled = ({ answers }: Pick<TriedRequest, "answers">): boolean =>
  answers.some((answer) => answer === "accepted" || isRefusal(answer));

/** INV-9: bad input gets a 4xx, after any number of outages. A request that is accepted for a stranger violates INV-11 instead. */
export const badlyRefused = ({ name, isForeign, answers }: TriedRequest): readonly Violation[] => {
  const violated = (words: string): Violation => ({ invariant: "INV-9", words: `${name} ${words}` });
  const strange = answers.filter(
    (answer) => answer !== "accepted" && !isRefusal(answer) && ![AWAY, TOO_MANY].includes(statusOf(answer)),
  );
  return [
    ...strange.map((answer) => violated(`is answered by ${answer}`)),
    ...(answers.includes("accepted") && !isForeign ? [violated("is accepted")] : []),
    ...(isSettled({ answers }) ? [] : [violated(`is not refused, after ${answers.length} answers`)]),
  ];
};

/** A row of the database that a request makes. */
export interface MadeRow {
  readonly table: string;
  /** its id, or that of the thing that it is about */
  readonly id: string;
}

/** INV-9: a refused request changes nothing, so that each row is of a thing that a client was answered. */
export const strayRows = (rows: readonly MadeRow[], owners: readonly Owner[]): readonly Violation[] => {
  const known = new Set(owners.flatMap(({ ids }) => ids));
  return rows
    .filter(({ id }) => !known.has(id))
    .map(({ table, id }) => ({
      invariant: "INV-9",
      words: `${table} has a row of ${id}, which no accepted request made`,
    }));
};
