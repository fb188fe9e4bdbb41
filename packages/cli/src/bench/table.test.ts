import { describe, expect, test } from "vitest";
import { renderTable, rounded } from "./table.ts";

describe("numbers", () => {
  test.each<[number, string]>([
    [0.1234, "0.12"],
    [12.345, "12.3"],
    [612.4, "612"],
    [7, "7"],
  ])("%d is printed as %s", (value, text) => {
    expect(rounded(value)).toBe(text);
  });
});

describe("the table", () => {
  const figure = { name: "a.b", unit: "ms", label: "presigning" } as const;

  test("aligns its columns", () => {
    const table = renderTable([
      {
        title: "CPU",
        figures: [
          { ...figure, value: 1000 },
          { ...figure, label: "all", value: 1.5 },
        ],
      },
    ]);
    expect(table.split("\n")).toEqual(["CPU", "  presigning  1000  ms", "  all         1.50  ms"]);
  });

  test("says whether a number is within its budget", () => {
    const line = (value: number): string =>
      renderTable([{ title: "CPU", figures: [{ ...figure, value, budget: 600 }] }]);
    expect(line(600)).toContain("within 600 ms");
    expect(line(601)).toContain("ABOVE 600 ms");
  });
});
