import { expect, test } from "vitest";
import { NumberedSessions } from "./numbered-sessions.ts";

const OF = { keyId: "key-1", requestId: "sig-1" };

test("each session of a coordination has the number of its attempt, at every signer and later", () => {
  const sessions = new NumberedSessions(OF);
  expect([sessions.begin("a"), sessions.begin("a"), sessions.begin("b"), sessions.begin("a")]).toEqual([
    { ...OF, session: "a", attempt: 1 },
    { ...OF, session: "a", attempt: 1 },
    { ...OF, session: "b", attempt: 2 },
    { ...OF, session: "a", attempt: 1 },
  ]);
  expect(sessions.of("b")).toEqual({ ...OF, session: "b", attempt: 2 });
});

test("a session that began long ago, or never, has no number, and gets none by being named", () => {
  const sessions = new NumberedSessions({});
  for (let nth = 1; nth <= 17; nth += 1) sessions.begin(`session ${nth}`);
  expect(sessions.of("session 1")).toEqual({ session: "session 1" });
  expect(sessions.of("session 2")).toEqual({ session: "session 2", attempt: 2 });
  expect(sessions.begin("another")).toEqual({ session: "another", attempt: 18 });
});
