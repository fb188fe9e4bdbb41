import { processWorld } from "@conclave/platform/world";
import { describe, expect, test } from "vitest";
import { watched } from "./watched-events.ts";

describe("events of a watched signer", () => {
  test("come after the burning when this may be another life, and alone otherwise", () => {
    const doubts = [undefined, "it stood still", undefined];
    const done: string[] = [];
    const dispatch = watched(
      processWorld,
      { look: () => doubts.shift() },
      ({ kind }) => done.push(kind),
      (why) => done.push(why),
    );
    for (let at = 0; at < 3; at += 1) dispatch({ kind: "tick" });
    expect(done).toEqual(["tick", "it stood still", "resumed", "tick", "tick"]);
  });

  test("are looked at whole where a nonce may be met, and fast where messages come by the hundred", () => {
    const looks: string[] = [];
    const look = (how: "fast" | "whole"): undefined => {
      looks.push(how);
    };
    const dispatch = watched(
      processWorld,
      { look },
      () => {},
      () => {},
    );
    dispatch({ kind: "tick" });
    dispatch({ kind: "host-lost", sessions: [] });
    expect(looks).toEqual(["whole", "fast"]);
  });
});
