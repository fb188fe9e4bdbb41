import { type Common, createCustomCommon, Hardfork, Mainnet } from "@ethereumjs/common";
import { createEVM, type EVMError, type EVMInterface, type ExecResult } from "@ethereumjs/evm";
import { Account, Address, bytesToHex, hexToBytes } from "@ethereumjs/util";
import { type JavaTronAddress, javaTronContractHex } from "../address.ts";
import type {
  JavaTronCall,
  JavaTronContractResult,
  JavaTronLog,
  JavaTronRun,
  RunContract,
} from "../rules/applied.ts";
import { BooksState } from "./books-state.ts";
import { energyPrices } from "./energy.ts";

/** Energy per byte of a deployed contract. @source java-tron, EnergyCost.CREATE_DATA */
const CODE_BYTE_ENERGY = 200n;
/**
 * The energy limit of any run, whatever it can pay for. A node stops a run after 80 ms; this keeps a contract from
 * blocking the ledger.
 */
const ENERGY_IN_TIME = 10_000_000n;
const MS_IN_SECOND = 1_000;
const WORD_BYTES = 32;
const CHAIN_ID_DIGITS = 8;

const FAILURES: Readonly<Record<string, JavaTronContractResult>> = {
  "out of gas": "OUT_OF_ENERGY",
  "code store out of gas": "OUT_OF_ENERGY",
  revert: "REVERT",
  "invalid JUMP": "BAD_JUMP_DESTINATION",
  "invalid opcode": "ILLEGAL_OPERATION",
  "stack underflow": "STACK_TOO_SMALL",
  "stack overflow": "STACK_TOO_LARGE",
  "invalid bytecode deployed": "INVALID_CODE",
};

/** The message of a node for a failed contract. */
const wordsOf = (result: JavaTronContractResult, error: EVMError): string => {
  if (result === "REVERT") return "REVERT opcode executed";
  if (result === "OUT_OF_ENERGY") return "Not enough energy for the operation executing";
  return error.error;
};

const engineAddress = (address: JavaTronAddress): Address =>
  new Address(hexToBytes(`0x${javaTronContractHex(address)}`));

const logsOf = ({ logs = [] }: ExecResult): readonly JavaTronLog[] =>
  logs.map(([address, topics, data]) => ({
    address: bytesToHex(address).slice(2),
    topics: topics.map((topic) => bytesToHex(topic).slice(2)),
    data: bytesToHex(data).slice(2),
  }));

const blockOf = ({ number, time }: JavaTronCall) => ({
  header: {
    number: BigInt(number),
    timestamp: BigInt(Math.floor(time / MS_IN_SECOND)),
    coinbase: new Address(new Uint8Array(20)),
    difficulty: 0n,
    prevRandao: new Uint8Array(WORD_BYTES),
    gasLimit: 0n,
    baseFeePerGas: 0n,
    getBlobGasPrice: () => 0n,
  },
});

/** Runs creation code at the new contract's address, and stores its output as the contract's code. */
const runCreation = async (
  evm: EVMInterface,
  state: BooksState,
  call: JavaTronCall,
  code: Uint8Array,
): Promise<ExecResult> => {
  const [caller, to] = [engineAddress(call.caller), engineAddress(call.to)];
  const from = (await state.getAccount(caller)) ?? new Account();
  await state.putAccount(caller, new Account(from.nonce, from.balance - call.value));
  await state.putAccount(to, new Account(1n, call.value));
  const { data, value, energyLimit: gasLimit } = call;
  const made = await evm.runCode({
    code,
    to,
    caller,
    origin: caller,
    data,
    value,
    gasLimit,
    block: blockOf(call),
  });
  if (made.exceptionError !== undefined) return made;
  const executionGasUsed = made.executionGasUsed + CODE_BYTE_ENERGY * BigInt(made.returnValue.length);
  if (executionGasUsed > gasLimit) {
    return { ...made, exceptionError: outOfEnergy, executionGasUsed: gasLimit };
  }
  await state.putCode(to, made.returnValue);
  return { ...made, executionGasUsed };
};

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);

const outOfEnergy: EVMError = { error: "out of gas", errorType: "EVMError" };

const runCall = async (evm: EVMInterface, call: JavaTronCall): Promise<ExecResult> => {
  const [caller, to] = [engineAddress(call.caller), engineAddress(call.to)];
  const { data, value, energyLimit: gasLimit } = call;
  const { execResult } = await evm.runCall({
    caller,
    origin: caller,
    to,
    data,
    value,
    gasLimit,
    block: blockOf(call),
  });
  return execResult;
};

const NOTHING_WRITTEN = { balances: new Map(), nonces: new Map(), codes: new Map(), storage: new Map() };

const FAILED = { output: new Uint8Array(), logs: [], ...NOTHING_WRITTEN };

/** Whether a run hit the time limit before it ran out of paid energy. */
const isOutOfTime = ({ exceptionError }: ExecResult, { energyLimit }: JavaTronCall): boolean =>
  exceptionError?.error === outOfEnergy.error && energyLimit > ENERGY_IN_TIME;

const runOf = (done: ExecResult, call: JavaTronCall, state: BooksState): JavaTronRun => {
  const { exceptionError: error, returnValue: output, executionGasUsed } = done;
  const energy = least(executionGasUsed, call.energyLimit);
  if (error === undefined) {
    return { result: "SUCCESS", words: "", energy, output, logs: logsOf(done), ...state.written() };
  }
  if (isOutOfTime(done, call))
    return { ...FAILED, result: "OUT_OF_TIME", words: "CPU timeout", energy: call.energyLimit };
  const result = FAILURES[error.error] ?? "UNKNOWN";
  return { ...FAILED, result, words: wordsOf(result, error), energy, output };
};

/**
 * The machine that runs the contracts of one chain.
 * @param genesisId in hex; contracts see its last 4 bytes as the chain id, as on TRON
 */
export const javaTronMachine = (genesisId: string): RunContract => {
  const chainId = Number.parseInt(genesisId.slice(-CHAIN_ID_DIGITS), 16);
  const common: Common = createCustomCommon({ chainId }, Mainnet, { hardfork: Hardfork.Cancun });
  return async (call) => {
    const state = new BooksState(call.books);
    const evm = await createEVM({ common: common.copy(), stateManager: state, params: energyPrices() });
    try {
      const inTime = { ...call, energyLimit: least(call.energyLimit, ENERGY_IN_TIME) };
      const done = await (call.creation === undefined
        ? runCall(evm, inTime)
        : runCreation(evm, state, inTime, call.creation));
      return runOf(done, call, state);
    } catch {
      // the engine threw, as it does for a missing precompile: a contract must not stop the chain
      return { ...FAILED, result: "UNKNOWN", words: "the engine cannot run it", energy: call.energyLimit };
    }
  };
};
