import { ERRORS } from "@conclave/custody";

/** The codes of the API's answers; the others are internal to processes and signers. */
const ANSWERED = Object.entries(ERRORS).filter(([, { kind }]) => kind === "refusal" || kind === "outage");

/** The table of errors in Markdown, by status: the only page that lists all codes. */
export const errorsDocument = (): string => {
  const statuses = [...new Set(ANSWERED.map(([, { status }]) => status))].sort((one, other) => one - other);
  const sections = statuses.map((status) => {
    const rows = ANSWERED.filter(([, error]) => error.status === status)
      .sort(([one], [other]) => one.localeCompare(other))
      .map(([code, { message, remedy }]) => `| \`${code}\` | ${message} | ${remedy} |`);
    return `## ${status}\n\n| code | what it says | what helps |\n|---|---|---|\n${rows.join("\n")}\n`;
  });
  return `# Errors

Every error has one form: \`error.details.code\` is one of these and stays the same, \`error.details.remedy\` says what helps, and \`error.id\` is the
id of the request in the operator's logs.

${sections.join("\n")}`;
};
