import { type ErrorCode, type Problem, problem } from "@conclave/custody";
import type { z } from "zod";

/** limit, as a body may be wrong in as many places as it has characters */
const MOST_ISSUES = 20;
const LONGEST_TEXT = 200;

/** Members of bodies that client libraries have and this service never accepts, with the reason. */
const NOT_TAKEN: ReadonlyMap<string, string> = new Map([
  [
    "feeSponsorId",
    "is not taken: each wallet pays its own fees, and signers sign nothing that another account pays for",
  ],
  ["federatedIdentity", "is not taken: it needs an identity provider outside of this cluster"],
  ["tenantId", "is not taken: nothing stands above an organisation, which is named by orgId"],
  ["travelRule", "is not taken: its messages go through an outside vendor"],
]);

/** Names that the Python client's types have, and that it sends unchanged. */
const SNAKE_CASE = /^[a-z]+(_[a-z0-9]+)+$/;

/** The reason why a member is not known; undefined where there is nothing more to say. */
const reasonOf = (key: string): string | undefined => {
  const reason = NOT_TAKEN.get(key);
  if (reason !== undefined || !SNAKE_CASE.test(key)) return reason;
  const camel = key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  return `is not known: names are written ${camel} here`;
};

interface Issue {
  readonly path: string;
  readonly message: string;
}

/** The faults at one place; unknown members with a reason of their own are separate ones. */
const issuesOf = (issue: z.core.$ZodIssue): readonly Issue[] => {
  const path = issue.path.map(String);
  const own = { path: path.join("."), message: issue.message };
  if (issue.code !== "unrecognized_keys") return [own];
  const reasons = issue.keys.flatMap((key) => {
    const reason = reasonOf(key);
    return reason === undefined ? [] : [{ path: [...path, key].join("."), message: reason }];
  });
  return reasons.length === issue.keys.length ? reasons : [...reasons, own];
};

/** The problem of input that does not fit its schema, naming each wrong field and the reason. */
export const invalidInput = (
  code: Extract<ErrorCode, "InvalidBody" | "InvalidParameter">,
  issues: readonly z.core.$ZodIssue[],
): Problem =>
  problem(code, {
    issues: issues
      .slice(0, MOST_ISSUES)
      .flatMap(issuesOf)
      .map(({ path, message }) => ({ path: shorten(path), message: shorten(message) })),
  });

const shorten = (text: string): string =>
  text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT)}…`;
