import { describe, expect, it } from "vitest";
import { impurities, isPure } from "./purity.ts";
import { sourcesBelow } from "./source-files.ts";

const CHAIN = "packages/chains/src/evm/read.ts";
const of = (path: string, text: string) => impurities([{ path, text }]);

describe("pure files", () => {
  it.each([
    ["packages/threshold/src/scheme.ts", true],
    ["packages/custody/src/key/key.ts", true],
    ["packages/cluster/src/compute/host.ts", true],
    ["packages/chains/src/chain.ts", true],
    ["packages/chains/src/evm/read.ts", true],
    ["packages/chains/src/evm/calls/call.ts", true],
    ["packages/chains/src/node.ts", false],
    ["packages/chains/src/evm/node.ts", false],
    ["packages/chains/src/evm/node/rpc.ts", false],
    ["packages/chains/src/testing/anvil.ts", false],
    ["packages/chains/src/evm/read.test.ts", false],
    ["packages/ledgers/src/host.ts", true],
    ["packages/ledgers/src/algorand/advance.ts", true],
    ["packages/ledgers/src/algorand/http/routes.ts", false],
    ["packages/ledgers/src/http/admin.ts", false],
    ["packages/platform/src/nats/bus.ts", false],
  ])("%s: %s", (path, expected) => {
    expect(isPure(path)).toBe(expected);
  });

  it.each([
    ["the clock", "const now = Date.now();"],
    ["the clock", "const now = new Date();"],
    ["ambient randomness", "crypto.getRandomValues(bytes);"],
    ["the environment", 'process.env["A"];'],
    ["a timer", "setTimeout(f, 1);"],
    ["the console", 'console.log("a");'],
    ["the network", 'await fetch("http://a");'],
  ])("that reach for %s are found: %s", (name, text) => {
    expect(of(CHAIN, text)).toEqual([`${CHAIN} reaches for ${name}; a pure file has it handed in`]);
  });

  it("may name in a text or a comment what they do not reach for", () => {
    expect(of(CHAIN, 'fail("setTimeout"); // Date.now()')).toEqual([]);
  });

  it.each([
    ["Node", 'import { createHash } from "node:crypto";'],
    ["a chain library's clients", 'import { createPublicClient } from "viem";'],
    ["a client's type", 'import type { PublicClient } from "viem";'],
    ["a chain library's actions", 'import { estimateGas } from "viem/actions";'],
    ["another library", 'import { x } from "ethers";'],
    ["the family's node", 'import { rpc } from "./node/rpc.ts";'],
    ["the file that connects nodes", 'import { connectChain } from "../node.ts";'],
  ])("of chains that import %s are found", (_, text) => {
    expect(of(CHAIN, text)).toHaveLength(1);
  });

  it.each([
    ["calculates", 'import { keccak256 } from "viem/utils";'],
    ["is a type", 'import type { Address, Hex } from "viem";'],
    ["is noble's", 'import { secp256k1 } from "@noble/curves/secp256k1.js";'],
    ["is another package's", 'import { ok } from "@conclave/custody";'],
  ])("of chains may import what %s", (_, text) => {
    expect(of(CHAIN, text)).toEqual([]);
  });

  it("of ledgers that import what serves HTTP are found", () => {
    const path = "packages/ledgers/src/algorand/advance.ts";
    expect(of(path, 'import { algodRoutes } from "./http/routes.ts";')).toHaveLength(1);
    expect(of(path, 'import { Hono } from "hono";')).toHaveLength(1);
  });

  it("of ledgers that import a chain's runtime are found outside of its engine", () => {
    const text = 'import { createEVM } from "@ethereumjs/evm";';
    expect(of("packages/ledgers/src/tron/engine/run-contract.ts", text)).toEqual([]);
    expect(of("packages/ledgers/src/tron/mine.ts", text)).toHaveLength(1);
    expect(of("packages/ledgers/src/bitcoin/engine/run.ts", text)).toHaveLength(1);
    const codec = 'import { encode } from "algorand-msgpack";';
    expect(of("packages/ledgers/src/algorand/msgpack.ts", codec)).toEqual([]);
    expect(of("packages/ledgers/src/algorand/mine.ts", codec)).toHaveLength(1);
  });

  it("of the other packages import no chain library", () => {
    const path = "packages/custody/src/a.ts";
    expect(of(path, 'import { keccak256 } from "viem/utils";')).toEqual([
      `${path} imports viem/utils; a pure package takes noble, scure and zod only`,
    ]);
  });

  it("reach for nothing that is not handed in, and import nothing that does", () => {
    expect(impurities(sourcesBelow("packages"))).toEqual([]);
  });
});
