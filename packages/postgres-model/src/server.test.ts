import { beforeEach, describe, expect, it, vi } from "vitest";
import { ModelServer } from "./server.ts";
import { UnknownSql } from "./value/sql-error.ts";

type Connection = ReturnType<ModelServer["connect"]>;

let server: ModelServer;
let timers: (() => void)[];
let broke: ReturnType<typeof vi.fn<(error: unknown) => void>>;
let one: Connection;
let other: Connection;

beforeEach(async () => {
  timers = [];
  broke = vi.fn<(error: unknown) => void>();
  server = await ModelServer.open({
    nowMs: () => Date.parse("2030-01-01T00:00:00.000Z"),
    after: (_, over) => {
      timers.push(over);
      return () => {
        timers = timers.filter((timer) => timer !== over);
      };
    },
    broke,
  });
  [one, other] = [server.connect(), server.connect()];
  await run(
    one,
    `create table boxes (id integer primary key, held text default 'nothing' check (held <> 'poison'));
     create table lids (id bigint generated always as identity primary key, box integer not null references boxes (id))`,
  );
  for (const id of [1, 2, 3]) await run(one, "insert into boxes (id) values ($1)", id);
});

const run = async (
  connection: Connection,
  text: string,
  ...values: readonly unknown[]
): Promise<readonly unknown[]> => (await connection.query({ text, values })).rows;

const ids = async (connection: Connection, more = ""): Promise<readonly unknown[]> =>
  (await run(connection, `select id from boxes order by id ${more}`)).map((row) =>
    Reflect.get(Object(row), "id"),
  );

describe("a list in the model", () => {
  it("numbers its elements in their order", async () => {
    const text =
      "select place, name from unnest($1::text[]) with ordinality as asked (name, place) order by name";
    const rows = await run(one, text, ["rope", "box"]);
    expect(rows).toEqual([
      { place: "2", name: "box" },
      { place: "1", name: "rope" },
    ]);
    await expect(run(one, "select * from generate_series(1, 2) with ordinality")).rejects.toBeInstanceOf(
      UnknownSql,
    );
  });
});

describe("a transaction in the model", () => {
  it("is seen by nobody else before its commit, and by nobody at all after its rollback", async () => {
    await run(other, "begin");
    for (const _ of [1, 2, 3]) await ids(other);
    await run(one, "begin");
    await run(one, "insert into boxes (id) values (4)");
    expect([await ids(one), await ids(other)]).toEqual([
      [1, 2, 3, 4],
      [1, 2, 3],
    ]);
    await run(one, "commit");
    expect(await ids(other)).toEqual([1, 2, 3, 4]);
    await run(one, "begin");
    await run(one, "delete from boxes");
    await run(one, "rollback");
    expect(await ids(one)).toEqual([1, 2, 3, 4]);
  });

  it("has one command see nothing of its own changes, and the next one all", async () => {
    const both = await run(
      one,
      `with changed as (update boxes set held = 'rope' where id = 1 returning held)
       select changed.held as new, boxes.held as old from changed, boxes where boxes.id = 1`,
    );
    expect(both).toEqual([{ new: "rope", old: "nothing" }]);
    expect(await run(one, "select held from boxes where id = 1")).toEqual([{ held: "rope" }]);
  });

  it("frees its locks when a statement fails, and then only ends", async () => {
    await run(one, "begin");
    await ids(one, "for update");
    await expect(run(one, "insert into boxes (id) values (1)")).rejects.toMatchObject({
      code: "23505",
      constraint: "boxes_pkey",
    });
    expect(await ids(other, "for update skip locked")).toEqual([1, 2, 3]);
    await expect(ids(one)).rejects.toMatchObject({ code: "25P02" });
    expect(await one.query({ text: "commit", values: [] })).toMatchObject({ command: "ROLLBACK" });
  });

  it("notifies listeners once it is committed", async () => {
    const notified = vi.fn();
    const stop = server.listen("boxes", notified);
    await run(one, "begin");
    await run(one, "select pg_notify('boxes', '')");
    expect(notified).not.toHaveBeenCalled();
    await run(one, "commit");
    expect(notified).toHaveBeenCalledOnce();
    stop();
    await run(one, "select pg_notify('boxes', '')");
    expect(notified).toHaveBeenCalledOnce();
  });
});

describe("a lock in the model", () => {
  beforeEach(async () => {
    await run(one, "begin");
    await run(one, "update boxes set held = 'rope' where id = 2");
  });

  it("is skipped, or waited for: then the statement sees what was committed", async () => {
    expect(await ids(other, "for update skip locked")).toEqual([1, 3]);
    const waiting = run(other, "update boxes set held = held || '!' where id = 2 returning held");
    await run(one, "commit");
    expect(await waiting).toEqual([{ held: "rope!" }]);
  });

  it("is waited for no longer than the lock timeout", async () => {
    const waiting = run(other, "delete from boxes where id = 2");
    expect(timers).toHaveLength(1);
    timers[0]?.();
    await expect(waiting).rejects.toMatchObject({ code: "55P03" });
    await run(one, "commit");
    expect(await ids(one)).toEqual([1, 2, 3]);
  });

  it("is a deadlock where two wait for one another", async () => {
    await run(other, "begin");
    await run(other, "update boxes set held = 'hook' where id = 3");
    const waiting = run(one, "update boxes set held = 'hook' where id = 3 returning held");
    await expect(run(other, "delete from boxes where id = 2")).rejects.toMatchObject({ code: "40P01" });
    expect(await waiting).toEqual([{ held: "hook" }]);
  });

  it("of a key is shared by those who refer to the row, and keeps it from being deleted", async () => {
    await run(other, "begin");
    await run(other, "insert into lids (box) values (2)");
    expect(await ids(one, "for update skip locked")).toEqual([1, 3]);
    const deleting = run(one, "delete from boxes where id = 2");
    expect(timers).toHaveLength(1);
    await run(other, "commit");
    await expect(deleting).rejects.toMatchObject({ code: "23503" });
  });

  it("is still waited for by a statement whose connection is closed: no server hears that its client is gone", async () => {
    const waiting = run(other, "update boxes set held = held || '!' where id = 2 returning held");
    other.close();
    await run(one, "commit");
    expect(await waiting).toEqual([{ held: "rope!" }]);
    await expect(ids(other)).rejects.toMatchObject({ code: "57P01" });
    expect(await run(one, "select held from boxes where id = 2")).toEqual([{ held: "rope!" }]);
  });

  it("is freed by a connection that is closed", async () => {
    one.close();
    expect(await ids(other, "for update skip locked")).toEqual([1, 2, 3]);
    expect(await run(other, "select held from boxes where id = 2")).toEqual([{ held: "nothing" }]);
  });
});

describe("a row in the model", () => {
  it("waits for another transaction that inserts its key, and is refused once that is committed", async () => {
    await run(one, "begin");
    await run(one, "insert into boxes (id) values (4)");
    const second = run(other, "insert into boxes (id) values (4)");
    const third = run(
      server.connect(),
      "insert into boxes (id) values (4) on conflict do nothing returning id",
    );
    await run(one, "commit");
    await expect(second).rejects.toMatchObject({ code: "23505" });
    expect(await third).toEqual([]);
  });

  it.each([
    ["insert into boxes (id, held) values (9, 'poison')", "23514"],
    ["insert into boxes (held) values ('rope')", "23502"],
    ["insert into lids (box) values (9)", "23503"],
    ["insert into boxes (id) values ('nine')", "22P02"],
    ["select nowhere from boxes", "42703"],
    ["select * from nowhere", "42P01"],
  ])("that PostgreSQL refuses is refused with its code: %s", async (text, code) => {
    await expect(run(one, text)).rejects.toMatchObject({ code });
    expect(await ids(one)).toEqual([1, 2, 3]);
    expect(broke).not.toHaveBeenCalled();
  });
});

describe("a command in the model", () => {
  it("changes a row once, however often a join finds it", async () => {
    const twice = "from unnest(array[2, 2]) as found (id) where boxes.id = found.id";
    expect(await run(one, `update boxes set held = held || '!' ${twice} returning held`)).toEqual([
      { held: "nothing!" },
    ]);
  });

  it("checks a deferred foreign key of a row that was changed again", async () => {
    await run(
      one,
      `create table keys (id integer primary key, name text, box integer,
                            foreign key (box) references boxes (id) deferrable initially deferred)`,
    );
    await run(one, "begin");
    await run(one, "insert into keys values (1, 'brass', 9)");
    await run(one, "update keys set name = 'iron'");
    await expect(run(one, "commit")).rejects.toMatchObject({ code: "23503" });
    expect(await run(one, "select * from keys")).toEqual([]);
  });

  it("deletes no key from a scalar of jsonb", async () => {
    await expect(run(one, "select '1'::jsonb - 'a'")).rejects.toMatchObject({ code: "22023" });
  });

  it.each([
    ["(1, null) = (1, null)", null],
    ["(1, null) = (2, null)", false],
    ["(1, 2) < (1, null)", null],
    ["(1, 2) < (2, null)", true],
    ["(1, 2) not in (select 1, null::integer)", null],
    ["(1, null) is distinct from (1, null)", false],
    [`'[{"a": 1}]'::jsonb @> '{"a": 1}'::jsonb`, false],
    [`'{"b": 1, "a": 2}'::jsonb - 'a'`, { b: 1 }],
    [`'["b", "a", 1, "a"]'::jsonb - 'a'`, ["b", 1]],
    [`'{"b": 1}'::jsonb - null`, null],
    [`'a' collate "C" < 'B' collate "C"`, false],
    [`'\u{1F600}' < '\uFF21'`, false],
    [`'{"b": [1, "x"], "a": 1}'::jsonb::text`, '{"a": 1, "b": [1, "x"]}'],
  ])("gives what PostgreSQL gives for %s", async (expression, value) => {
    expect(await run(one, `select ${expression} as value`)).toEqual([{ value }]);
  });
});

it("a server that is closed runs nothing", async () => {
  const closed = await ModelServer.open(
    { nowMs: () => 0, after: () => () => undefined, broke },
    { definitions: ["create table boxes (id integer primary key)"], rows: [] },
  );
  const connection = closed.connect();
  await run(connection, "insert into boxes values (1)");
  closed.close();
  await expect(ids(connection)).rejects.toMatchObject({ code: "57P01" });
});

it("the model reports SQL that it does not know, and does not guess", async () => {
  await expect(run(one, "select soundex('box')")).rejects.toThrow(UnknownSql);
  await expect(run(one, "alter table boxes drop column held")).rejects.toThrow("does not know");
  await expect(run(one, "select ctid from boxes")).rejects.toThrow(UnknownSql);
  await expect(run(one, "select * from pg_stat_activity")).rejects.toThrow(UnknownSql);
  await expect(run(one, `select id from boxes order by held collate "de-x-icu"`)).rejects.toThrow(UnknownSql);
  await expect(run(one, `select '[1]'::jsonb - 0`)).rejects.toThrow(UnknownSql);
  await expect(run(one, "set role nobody")).rejects.toThrow("the setting role");
  await expect(run(one, "select 1 as one union select 'two'")).rejects.toThrow("several types");
  await expect(run(one, "select id from boxes where held like 'a\\%'")).rejects.toThrow("an escape");
  expect(broke).toHaveBeenCalledTimes(9);
});

it("the model's time is the one that is handed in", async () => {
  expect(await run(one, "select now() as at, now() + make_interval(secs => 0.5) as later")).toEqual([
    { at: new Date("2030-01-01T00:00:00.000Z"), later: new Date("2030-01-01T00:00:00.500Z") },
  ]);
});

describe("functions and columns of the model", () => {
  const first = async (expression: string): Promise<unknown> => {
    const [row] = await run(one, `select ${expression} as found`);
    return Reflect.get(Object(row), "found");
  };

  it("join the texts of what is not null", async () => {
    expect(await first("concat_ws(' ', 'a', null, 5, '{\"b\": [1]}'::jsonb)")).toBe('a 5 {"b": [1]}');
    expect(await first("encode(convert_to('ä', 'UTF8'), 'hex')")).toBe("c3a4");
  });

  it("name the type of a jsonb", async () => {
    const values = ["{}", "[]", "null", "1", "true", '"text"'];
    const types = await Promise.all(values.map((value) => first(`jsonb_typeof('${value}'::jsonb)`)));
    expect(types).toEqual(["object", "array", "null", "number", "boolean", "string"]);
  });

  it("find a row again by its place, and not once it has changed", async () => {
    const here = "ctid = any(array(select ctid from boxes where id <= 2 for update skip locked))";
    expect((await one.query({ text: `delete from boxes where ${here}`, values: [] })).rowCount).toBe(2);
    const changed = `with moved as (update boxes set held = 'more' returning ctid as place)
      select id from boxes, moved where boxes.ctid = moved.place`;
    expect(await run(one, changed)).toEqual([]);
  });

  it("share an advisory lock, and wait for one that is held alone", async () => {
    for (const connection of [one, other]) {
      await run(connection, "begin");
      await run(connection, "select pg_advisory_xact_lock_shared(7)");
    }
    await run(other, "commit");
    await run(other, "begin");
    const alone = run(other, "select pg_advisory_xact_lock(7)");
    expect(timers).toHaveLength(1);
    await run(one, "commit");
    await alone;
    expect(timers).toHaveLength(0);
  });
});
