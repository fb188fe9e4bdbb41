import { ERRORS } from "@conclave/custody";
import type { ApiDocument } from "./types.ts";
import { operationsIn } from "./types.ts";

const NAMES: Readonly<Record<string, string>> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  409: "Conflict",
  413: "BodyTooLarge",
  415: "UnsupportedMediaType",
  422: "Unprocessable",
  429: "TooMany",
  501: "NotServed",
  503: "Unavailable",
};

/** The codes that answer with this status, each with what it means and what helps. */
const codesOf = (status: string): string => {
  const rows = Object.entries(ERRORS)
    .filter(
      ([, { kind, status: own }]) => String(own) === status && (kind === "refusal" || kind === "outage"),
    )
    .map(([code, { message, remedy }]) => `- \`${code}\`: ${message} ${remedy}`);
  return rows.join("\n");
};

/**
 * Moves what every operation says of an error into a component, so that it stands in the document once, with the codes that answer so. An
 * operation that says something else of a status keeps its own words.
 */
export const gatherErrors = (document: ApiDocument): void => {
  const gathered: Record<string, { description: string }> = {};
  for (const { operation } of operationsIn(document)) {
    for (const [status, answer] of Object.entries(operation.responses ?? {})) {
      const name = NAMES[status];
      if (name === undefined || "$ref" in answer) continue;
      const first = gathered[name];
      if (first !== undefined && first.description !== answer.description) continue;
      gathered[name] ??= answer;
      operation.responses = { ...operation.responses, [status]: { $ref: `#/components/responses/${name}` } };
    }
  }
  for (const [status, name] of Object.entries(NAMES)) {
    const answer = gathered[name];
    const codes = codesOf(status);
    if (answer !== undefined && codes !== "") answer.description += `.\n\n${codes}`;
  }
  document.components = {
    ...document.components,
    responses: { ...document.components?.responses, ...gathered },
  };
};
