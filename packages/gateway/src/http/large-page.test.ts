import type { Page } from "@conclave/platform";
import { expect, it } from "vitest";
import { z } from "zod";
import { startWorld } from "../testing/world.ts";
import { readPageOfLarge } from "./pagination.ts";

const COUNT = 60;
const rowOf = (at: number, length: number) => ({
  id: `sig-aaaaa-aaaaa-${String(COUNT - at).padStart(16, "0")}`,
  date: "2026-01-02T03:04:05.678Z",
  text: "a".repeat(length),
});
type Row = ReturnType<typeof rowOf>;

/** A list in memory, and the number of rows in each read. */
const listOf = (rows: readonly Row[]) => {
  const parts: number[] = [];
  const read = async ({ limit, after }: Page) => {
    const part = rows.filter(({ id }) => after === undefined || id < after.id).slice(0, limit);
    parts.push(part.length);
    return Object.assign(part, { leftOut: 0 });
  };
  return { parts, large: { read, dateOf: ({ date }: Row) => date, show: (rows: readonly Row[]) => rows } };
};
const times = (length: number) => Array.from({ length: COUNT }, (_, at) => rowOf(at, length));

it.each([
  ["large", 400_000, 3],
  // the last row of those that are read together fills the page
  ["middling", 140_000, 8],
  ["small", 10, 60],
])(
  "INV-9 a page of %s rows ends where it is long, and the tokens lead through all",
  async (_, length, most) => {
    const { parts, large } = listOf(times(length));
    const seen: string[] = [];
    let paginationToken: string | undefined;
    do {
      const page = await readPageOfLarge({ limit: 500, paginationToken }, large);
      expect(page.items.length).toBeLessThanOrEqual(most);
      seen.push(...page.items.map(({ id }) => id));
      paginationToken = page.next.nextPageToken;
    } while (paginationToken !== undefined);
    expect(seen).toEqual(times(0).map(({ id }) => id));
    expect(Math.max(...parts)).toBeLessThanOrEqual(9);
  },
);

it("has no next page where the row that fills it is the last, and no more rows than were asked for", async () => {
  const { large } = listOf(times(400_000).slice(0, 3));
  expect((await readPageOfLarge({ limit: 500 }, large)).next).toEqual({});
  const { large: small } = listOf(times(10));
  const page = await readPageOfLarge({ limit: 20 }, small);
  expect([page.items.length, page.next.nextPageToken === undefined]).toEqual([20, false]);
});

const madeSchema = z.object({ id: z.string() });
const listSchema = z.object({ items: z.array(madeSchema), nextPageToken: z.string().optional() });

it("INV-9 no list answers all the bodies that an organisation has sent", async () => {
  const world = await startWorld();
  const { id } = madeSchema.parse(
    (await world.call("POST", "/wallets", { network: "EthereumSepolia" })).body,
  );
  const message = `0x${"ab".repeat(65_536)}`;
  await world.call("POST", `/wallets/${id}/signatures`, { kind: "Message", message });
  await world.database.execute(
    `insert into signatures select (jsonb_populate_record(s,
       jsonb_build_object('id', 'sig-aaaaa-aaaaa-' || lpad(n::text, 16, '0')))).*
     from signatures s, generate_series(1, $1) n`,
    [COUNT - 1],
  );
  const seen = new Set<string>();
  let query = "limit=500";
  for (let pages = 0; query !== ""; pages++) {
    const { body } = await world.call("GET", `/wallets/${id}/signatures?${query}`);
    expect(JSON.stringify(body).length).toBeLessThan(1_200_000);
    expect(pages).toBeLessThan(COUNT / 8);
    const { items, nextPageToken } = listSchema.parse(body);
    for (const item of items) seen.add(item.id);
    query = nextPageToken === undefined ? "" : `limit=500&paginationToken=${nextPageToken}`;
  }
  expect(seen.size).toBe(COUNT);
  await world.stop();
});
