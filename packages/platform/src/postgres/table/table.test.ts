import { describe, expect, it } from "vitest";
import { z } from "zod";
import { bigNumber, bytes, bytesList, date, optional } from "../columns.ts";
import { listedAs } from "../connection/unreadable-row.ts";
import type { Connection } from "../database.ts";
import { mappedTable, plainTable } from "./table.ts";

interface Asked {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** A connection that records its statements, with each run of blanks as one, and returns these rows. */
const listening = (...found: readonly unknown[]) => {
  const asked: Asked[] = [];
  const hear = (text: string, values: readonly unknown[] = []) =>
    asked.push({ text: text.replace(/\s+/g, " ").trim(), values });
  const connection: Pick<Connection, "rows" | "listed" | "execute"> = {
    rows: async (schema, text, values) => {
      hear(text, values);
      return found.map((row) => schema.parse(row));
    },
    listed: async (schema, text, values) => {
      hear(text, values);
      return listedAs(
        found.map((row) => schema.parse(row)),
        0,
      );
    },
    execute: async (text, values) => {
      hear(text, values);
      return 1;
    },
  };
  return { connection, asked };
};

const things = plainTable(
  "things",
  {
    id: z.string(),
    orgId: z.string(),
    tags: z.array(z.string()),
    height: optional(bigNumber),
    seal: optional(bytes),
    seals: bytesList,
    isWhole: z.boolean(),
    dateCreated: date,
    dateArchived: optional(date),
    isCounted: z.boolean(),
  },
  { key: ["orgId", "id"], changing: ["tags", "dateArchived"], generated: ["isCounted"] },
);
const thing = {
  id: "th-1",
  orgId: "or-1",
  tags: [],
  height: 2n ** 64n,
  seal: undefined,
  seals: [Uint8Array.of(1)],
  isWhole: true,
  dateCreated: "2026-01-01T00:00:00.000Z",
  dateArchived: undefined,
};
const LIST = `id, org_id as "orgId", tags, height, seal, seals, is_whole as "isWhole", date_created as "dateCreated", date_archived as "dateArchived", is_counted as "isCounted"`;

describe("a table", () => {
  it("is inserted into by column, without what the database alone writes", async () => {
    const { connection, asked } = listening();
    await things.insert(connection, thing, "on conflict do nothing");
    expect(asked).toEqual([
      {
        text: "insert into things (id, org_id, tags, height, seal, seals, is_whole, date_created, date_archived) values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing",
        values: [
          "th-1",
          "or-1",
          "[]",
          "18446744073709551616",
          undefined,
          thing.seals,
          true,
          thing.dateCreated,
          undefined,
        ],
      },
    ]);
  });

  it("is updated by its key, in the columns that can change", async () => {
    const { connection, asked } = listening();
    await things.update(connection, { ...thing, tags: ["new"] });
    expect(asked).toEqual([
      {
        text: "update things set tags = $3, date_archived = $4 where org_id = $1 and id = $2",
        values: ["or-1", "th-1", '["new"]', undefined],
      },
    ]);
  });

  it("finds a row by columns, and by those in which nothing is", async () => {
    const row = { ...thing, height: "7", dateCreated: new Date(0), seal: null, dateArchived: null };
    const { connection, asked } = listening({ ...row, isCounted: false });
    const found = await things.one(
      connection,
      { orgId: "or-1", dateArchived: null, height: 7n },
      "for update",
    );
    expect(found).toMatchObject({ height: 7n, dateCreated: "1970-01-01T00:00:00.000Z", seal: undefined });
    expect(asked).toEqual([
      {
        text: `select ${LIST} from things where org_id = $1 and date_archived is null and height = $2 for update`,
        values: ["or-1", "7"],
      },
    ]);
  });

  it("is listed in pages behind what the condition takes", async () => {
    const { connection, asked } = listening();
    await things.page(connection, "org_id = $1", ["or-1"], { limit: 5, after: { date: "d", id: "th-0" } });
    expect(asked).toEqual([
      {
        text: `select ${LIST} from things where org_id = $1 and ($2::timestamptz is null or (date_created, id) < ($2, $3)) order by date_created desc, id desc limit $4`,
        values: ["or-1", "d", "th-0", 5],
      },
    ]);
  });

  it("makes values of its columns and columns of its values", async () => {
    const columns = { id: z.string(), size: z.int(), unit: z.string(), dateCreated: date };
    interface Measured {
      readonly id: string;
      readonly amount: { readonly size: number; readonly unit: string };
      readonly dateCreated: string;
    }
    const measured = mappedTable(
      "measured",
      columns,
      {
        row: z
          .object(columns)
          .transform(({ size, unit, ...row }): Measured => ({ ...row, amount: { size, unit } })),
        derived: ({ amount }: Measured) => amount,
      },
      { changing: ["size"], joined: { select: "select m.* from measured m", alias: "m" } },
    );
    const { connection, asked } = listening({ id: "me-1", size: 3, unit: "m", dateCreated: new Date(0) });
    const found = await measured.one(connection, { id: "me-1" }, "for update");
    expect(found).toEqual({
      id: "me-1",
      amount: { size: 3, unit: "m" },
      dateCreated: "1970-01-01T00:00:00.000Z",
    });
    expect(asked[0]?.text).toBe("select m.* from measured m where m.id = $1 for update of m");
    expect(found && measured.updateValues(found)).toEqual(["me-1", 3]);
  });
});
