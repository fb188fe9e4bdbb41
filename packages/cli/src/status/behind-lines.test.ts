import { describe, expect, it } from "vitest";
import { behindLines } from "./behind-lines.ts";

const READY = { id: "signer-1", standing: "ready" } as const;
const AWAY = { id: "signer-2", standing: "away" } as const;
const BARE = { id: "signer-3", standing: "bare" } as const;

describe("the lines of signers that are behind", () => {
  it("name the command that mends each", () => {
    expect(behindLines([READY, AWAY, BARE], "local")).toEqual([
      "",
      "signer-2 does not answer: `make start PROCESS=signer-2` starts it where its process has ended",
      "signer-3 has lost its store: `make reprovision SIGNER=signer-3` gives it its keys again",
    ]);
  });

  it("name a cluster that is not the first one", () => {
    expect(behindLines([READY, AWAY], "second")).toContain(
      "signer-2 does not answer: `make start PROCESS=signer-2 NAME=second` starts it where its process has ended",
    );
  });

  it("are none where all sign, where one is being given what it lacks, and in a new cluster", () => {
    expect(behindLines([READY], "local")).toEqual([]);
    expect(behindLines([READY, { ...BARE, standing: "making" }], "local")).toEqual([]);
    expect(behindLines([BARE, AWAY], "local")).toEqual([]);
  });
});
