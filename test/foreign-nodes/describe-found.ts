import { describeChainNode, describeChainRecord } from "@conclave/chains/testing/conformance";
import { describe, vi } from "vitest";
import { describeFinalRefusal } from "./final-refusals.ts";
import { foundKinds } from "./find.ts";
import type { SuiteFile } from "./node.ts";
import { SUITE_CASES } from "./suite-cases.ts";
import { openForeignChain } from "./tried-chain.ts";

/** Runs the chain-node suite on other implementations' nodes. Titles begin with the node's name, which the table groups by. */
export const describeFound = (file: SuiteFile): void => {
  const found = foundKinds().filter(({ kind }) => kind.suite.file === file);
  for (const one of found) {
    describe(one.kind.name, () => {
      const { testMs } = one.kind.suite;
      vi.setConfig({ testTimeout: testMs, hookTimeout: testMs });
      describeChainNode(one.kind.name, openForeignChain(one));
      describeFinalRefusal(one.kind.name, file, openForeignChain(one));
      describeChainRecord(one.kind.name, openForeignChain(one), SUITE_CASES[file].record);
    });
  }
};
