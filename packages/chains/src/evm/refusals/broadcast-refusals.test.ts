import { describe, expect, it } from "vitest";
import { outcomeOf } from "./broadcast-refusals.ts";

describe("the answer of a node to a raw transaction", () => {
  it.each([
    ["geth, erigon, reth", "already known"],
    ["anvil, parity", "transaction already imported"],
    ["anvil", "Tx: [0x11] already Imported"],
    ["nethermind", "AlreadyKnown"],
    ["besu", "Known transaction"],
    ["erigon", "existing txn with same hash"],
  ])("is a success when %s has it already", (_node, said) => {
    expect(outcomeOf(said)).toEqual({ kind: "accepted" });
  });

  it.each([
    ["geth", "nonce too low: next nonce 5, tx nonce 3"],
    ["hosted services", "nonce is too low"],
    ["nethermind", "OldNonce, Current nonce: 5, nonce of rejected tx: 3"],
    ["besu", "Nonce below current"],
    [
      "hardhat",
      "Nonce too low. Expected nonce to be 5 but got 3. Note that transactions can't be queued when automining.",
    ],
  ])("is a spent nonce in the words of %s", (_node, said) => {
    expect(outcomeOf(said)).toMatchObject({ kind: "outdated" });
  });

  it.each([
    ["geth: block", "exceeds block gas limit"],
    ["geth: EIP-7825", "transaction gas limit too high (cap: 16777216, tx: 50000000)"],
    ["geth: gas", "intrinsic gas too low: gas 20999, minimum needed 21000"],
    ["geth: EIP-7623", "insufficient gas for floor data gas cost: gas 21000, minimum needed 40000"],
    ["geth: size", "oversized data: transaction size 140000, limit 131072"],
    ["geth: tip", "transaction gas price below minimum: gas tip cap 10000000, minimum needed 25000000000"],
    ["geth 1.14, bor: tip", "transaction underpriced: gas tip cap 10000000, minimum needed 25000000000"],
    ["geth: tip above fee", "max priority fee per gas higher than max fee per gas (2 > 1)"],
    ["geth: fee cap of the interface", "tx fee (2.10 ether) exceeds the configured cap (1.00 ether)"],
    ["geth: type", "transaction type not supported: type 2 rejected, pool not yet in London"],
    ["geth: sender", "invalid sender: invalid transaction v, r, s values"],
    ["geth: init code", "max initcode size exceeded: code size 50000, limit 49152"],
    ["geth: replay", "only replay-protected (EIP-155) transactions allowed over RPC"],
    ["geth: nonce", "nonce has max value"],
    ["geth: numbers", "max fee per gas higher than 2^256-1"],
    ["geth: EIP-3607", "sender not an eoa: address 0x11, codehash: 0x22"],
    ["erigon: tip", "underpriced"],
    ["erigon: fee", "fee too low"],
    ["erigon: EIP-7825", "gas limit is too high"],
    ["erigon: gas", "IntrinsicGas"],
    ["erigon: size", "RLPTooLong"],
    ["erigon: type", "fork supporting this transaction type is not activated yet"],
    ["erigon: init code", "initcode too large"],
    ["nethermind: block", "GasLimitExceeded, Gas limit: 30000000, gas limit of rejected tx: 50000000"],
    ["nethermind: EIP-7825", "TxGasLimitCapExceeded: Gas limit 50000000 exceeded cap of 16777216."],
    ["nethermind: type", "InvalidTxType: Transaction type in Berlin is not supported."],
    ["nethermind: size", "MaxTxSizeExceeded"],
    ["nethermind: fee", "FeeTooLow, MaxFeePerGas too low."],
    ["besu: block", "Transaction gas limit exceeds block gas limit"],
    ["besu: gas", "Intrinsic gas exceeds gas limit"],
    ["besu: price", "Gas price below configured minimum gas price"],
    ["besu: fee cap", "Transaction fee cap exceeded"],
    ["besu: tip", "Max priority fee per gas exceeds max fee per gas"],
    ["besu: type", "Invalid transaction type"],
    ["reth: gas", "intrinsic gas too high"],
    ["reth: EIP-7825", "gas limit too high"],
    ["reth: tip", "transaction priority fee below minimum required priority fee 25000000000"],
    [
      "anvil: EIP-7825",
      "Transaction gas limit is greater than the block gas limit, gas_limit: 50000000, cap: 30000000",
    ],
    ["anvil: block", "intrinsic gas too high -- tx.gas_limit > env.block.gas_limit"],
    ["anvil: gas", "intrinsic gas too high -- CallGasCostMoreThanGasLimit"],
    ["hardhat: gas", "Transaction requires at least 21000 gas but got 20999"],
    ["hardhat: block", "Transaction gas limit is 50000000 and exceeds block gas limit of 30000000"],
    ["hardhat: EIP-7825", "Transaction gas limit is 50000000 and exceeds transaction gas cap of 16777216"],
    ["hardhat: tip", "Transaction gas price is 1, which is below the minimum of 2000000000"],
    ["ganache: gas", "base fee exceeds gas limit"],
    ["ganache: block", "Exceeds block gas limit"],
    ["nitro", "intrinsic gas too low"],
  ])("is final in the words of %s", (_node, said) => {
    expect(outcomeOf(said)).toMatchObject({ kind: "unacceptable", reason: expect.stringContaining(said) });
  });

  it.each([
    ["geth: base fee", "max fee per gas less than block base fee: address 0x11, maxFeePerGas: 1, baseFee: 7"],
    ["geth: order", "nonce too high: tx nonce 9, gapped nonce 5"],
    ["geth: funds", "insufficient funds for gas * price + value: balance 1, tx cost 2, overshot 1"],
    ["geth: full", "txpool is full"],
    ["geth: full of better ones", "transaction underpriced"],
    ["geth: what waits there", "replacement transaction underpriced"],
    ["geth: what waits there", "future transaction tries to replace pending"],
    ["geth: how many", "account limit exceeded: pooled 64 txs"],
    ["geth: EIP-7702", "in-flight transaction limit reached for delegated accounts"],
    ["geth: EIP-7702", "gapped-nonce tx from delegated accounts"],
    [
      "op-geth",
      "insufficient funds for gas * price + value: balance 9978999999852000, tx cost 10018999999852000",
    ],
    ["erigon: full", "pending sub-pool is full"],
    ["erigon: what waits there", "could not replace existing tx"],
    ["nethermind: funds", "InsufficientFunds, Account balance: 1, cumulative cost: 2"],
    ["nethermind: order", "NonceGap, Future nonce. Expected nonce: 5"],
    ["besu: funds", "Upfront cost exceeds account balance"],
    ["besu: order", "Transaction nonce is too distant from current sender nonce"],
    ["besu: base fee", "Gas price below current base fee"],
    ["besu: what waits there", "Replacement transaction underpriced"],
    [
      "hardhat: funds",
      "Sender doesn't have enough funds to send tx. The max upfront cost is: 2 and the sender's balance is: 1.",
    ],
    [
      "hardhat: base fee",
      "Transaction maxFeePerGas (1) is too low for the next block, which has a baseFeePerGas of 7",
    ],
    ["anvil: what waits there", "Tx: [0x11] insufficient gas price to replace existing transaction"],
    ["hosted services", "rate limit exceeded"],
    ["hosted services", "daily request count exceeded, request rate limited"],
    ["a node that syncs", "Initial sync is still in progress"],
    ["words of no table", "the moon is in the wrong house"],
  ])("passes in the words of %s", (_node, said) => {
    expect(outcomeOf(said)).toEqual({
      kind: "refused",
      reason: `the chain node does not take the transaction: ${said}`,
    });
  });

  it.each([
    ["geth", "invalid sender: invalid chain id for signer: have 1 want 5"],
    ["nethermind", "InvalidTxChainId: Expected 1, got 5."],
    ["besu", "Wrong chainId"],
    ["anvil", "Incompatible EIP-155 transaction, signed for another chain"],
    ["hardhat", "Trying to send an incompatible EIP-155 transaction, signed for another chain."],
  ])("is of another chain in the words of %s, which its operator mends", (_node, said) => {
    expect(outcomeOf(said)).toEqual({
      kind: "refused",
      reason: `the chain node is of another chain: ${said}`,
    });
  });

  it.each<[string, boolean]>([
    ["transaction gas price below minimum: gas tip cap 10000000, minimum needed 25000000000", true],
    ["Gas price below configured minimum gas price", true],
    ["exceeds block gas limit", false],
    ["intrinsic gas too low: gas 20999, minimum needed 21000", false],
  ])("says whether a higher fee would be taken: %s", (said, isByFee) => {
    const outcome = outcomeOf(said);
    expect(outcome.kind === "unacceptable" && outcome.byFee === true).toBe(isByFee);
  });
});
