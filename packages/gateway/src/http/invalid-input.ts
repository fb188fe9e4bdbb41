import { type ErrorCode, type Problem, problem } from "@conclave/custody";
import type { z } from "zod";

/** a body may be wrong in as many places as it has characters; the answer names the first few */
const MOST_ISSUES = 20;
const LONGEST_TEXT = 200;

/** The problem of input that does not fit its schema, naming each field that is wrong and why. */
export const invalidInput = (
  code: Extract<ErrorCode, "InvalidBody" | "InvalidParameter">,
  issues: readonly z.core.$ZodIssue[],
): Problem =>
  problem(code, {
    issues: issues.slice(0, MOST_ISSUES).map((issue) => ({
      path: shorten(issue.path.map(String).join(".")),
      message: shorten(issue.message),
    })),
  });

const shorten = (text: string): string =>
  text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT)}…`;
