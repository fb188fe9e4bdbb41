import { ok, type Result } from "@conclave/custody";
import { type Address, getAddress, parseAbi } from "viem";
import { getBalance, readContract } from "viem/actions";
import { ask, type Rpc } from "./rpc.ts";

const ERC20 = parseAbi(["function balanceOf(address owner) view returns (uint256)"]);
const ERC721 = parseAbi(["function ownerOf(uint256 tokenId) view returns (address)"]);

/** Turns a revert or an empty answer into undefined: the contract has no such token, which is not an outage. */
const orNothing = <T>(result: Result<T>): Result<T | undefined> =>
  !result.ok && result.problem.code === "ExecutionReverted" ? ok(undefined) : result;

/** Wei in blocks; pending transactions do not count. */
export const nativeBalance = (network: string, rpc: Rpc, owner: string): Promise<Result<bigint>> =>
  ask(network, () => getBalance(rpc, { address: getAddress(owner) }));

/** EIP-20; undefined if the contract is no token. */
export const tokenBalance = async (
  network: string,
  rpc: Rpc,
  owner: string,
  contract: string,
): Promise<Result<bigint | undefined>> =>
  orNothing(
    await ask(network, () =>
      readContract(rpc, {
        address: getAddress(contract),
        abi: ERC20,
        functionName: "balanceOf",
        args: [getAddress(owner)],
      }),
    ),
  );

/** EIP-721; undefined if nobody owns the token, or the contract does not have it. */
export const tokenOwner = async (
  network: string,
  rpc: Rpc,
  contract: string,
  tokenId: bigint,
): Promise<Result<Address | undefined>> =>
  orNothing(
    await ask(network, () =>
      readContract(rpc, {
        address: getAddress(contract),
        abi: ERC721,
        functionName: "ownerOf",
        args: [tokenId],
      }),
    ),
  );
