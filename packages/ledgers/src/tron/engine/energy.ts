import { paramsEVM } from "@ethereumjs/evm";

type Prices = typeof paramsEVM;

/** Storage and account reads have no cold or warm price, and there are no refunds. */
const STORAGE_READ = 50;
const ACCOUNT_READ = 40;
const STORAGE_CHANGE = 5_000;
const STORAGE_NEW = 20_000;

/**
 * The energy prices of operations: those of an EVM of Cancun, except for storage and calls, which have TRON's prices.
 * @source java-tron, EnergyCost
 */
export const energyPrices = (): Prices => ({
  ...paramsEVM,
  2200: {
    ...paramsEVM[2200],
    sstoreSentryEIP2200Gas: 0,
    sstoreInitEIP2200Gas: STORAGE_NEW,
  },
  2929: {
    ...paramsEVM[2929],
    coldsloadGas: STORAGE_READ,
    warmstoragereadGas: STORAGE_READ,
    coldaccountaccessGas: ACCOUNT_READ,
    sstoreCleanEIP2200Gas: STORAGE_CHANGE,
    sstoreNoopEIP2200Gas: STORAGE_CHANGE,
    sstoreDirtyEIP2200Gas: STORAGE_CHANGE,
  },
});
