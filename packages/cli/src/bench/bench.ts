import { writeFileSync } from "node:fs";
import type { Section } from "./figure.ts";
import { tellOnStderr } from "./progress.ts";
import { renderTable } from "./table.ts";
import { thresholdFigures } from "./threshold-figures.ts";

const asData = (sections: readonly Section[]): string => {
  const data = sections.flatMap(({ figures }) =>
    figures.map(({ name, unit, value }) => ({ name, unit, value })),
  );
  return `${JSON.stringify(data, undefined, 2)}\n`;
};

/**
 * `conclave bench`: measures at real parameters; progress on stderr, the table on stdout.
 * @param jsonFile where the same numbers go as [{name, unit, value}]
 */
export const bench = async (jsonFile?: string): Promise<void> => {
  const tell = tellOnStderr();
  const sections = await thresholdFigures(tell);
  process.stdout.write(`${renderTable(sections)}\n`);
  if (jsonFile !== undefined) writeFileSync(jsonFile, asData(sections));
};
