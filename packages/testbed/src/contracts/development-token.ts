/**
 * contracts/DevelopmentToken.sol, compiled once with solc 0.8.37: optimizer 200 runs, evmVersion cancun,
 * metadata.bytecodeHash none. The constructor takes the supply, which goes to the deployer. The token has 6 decimals: 1 DEV
 * is 10^6 units.
 */
export const DEVELOPMENT_TOKEN_ABI = [
  {
    inputs: [
      {
        internalType: "uint256",
        name: "supply",
        type: "uint256",
      },
    ],
    stateMutability: "nonpayable",
    type: "constructor",
  },
  {
    anonymous: false,
    inputs: [
      {
        indexed: true,
        internalType: "address",
        name: "owner",
        type: "address",
      },
      {
        indexed: true,
        internalType: "address",
        name: "spender",
        type: "address",
      },
      {
        indexed: false,
        internalType: "uint256",
        name: "value",
        type: "uint256",
      },
    ],
    name: "Approval",
    type: "event",
  },
  {
    anonymous: false,
    inputs: [
      {
        indexed: true,
        internalType: "address",
        name: "from",
        type: "address",
      },
      {
        indexed: true,
        internalType: "address",
        name: "to",
        type: "address",
      },
      {
        indexed: false,
        internalType: "uint256",
        name: "value",
        type: "uint256",
      },
    ],
    name: "Transfer",
    type: "event",
  },
  {
    inputs: [
      {
        internalType: "address",
        name: "",
        type: "address",
      },
      {
        internalType: "address",
        name: "",
        type: "address",
      },
    ],
    name: "allowance",
    outputs: [
      {
        internalType: "uint256",
        name: "",
        type: "uint256",
      },
    ],
    stateMutability: "view",
    type: "function",
  },
  {
    inputs: [
      {
        internalType: "address",
        name: "spender",
        type: "address",
      },
      {
        internalType: "uint256",
        name: "value",
        type: "uint256",
      },
    ],
    name: "approve",
    outputs: [
      {
        internalType: "bool",
        name: "",
        type: "bool",
      },
    ],
    stateMutability: "nonpayable",
    type: "function",
  },
  {
    inputs: [
      {
        internalType: "address",
        name: "",
        type: "address",
      },
    ],
    name: "balanceOf",
    outputs: [
      {
        internalType: "uint256",
        name: "",
        type: "uint256",
      },
    ],
    stateMutability: "view",
    type: "function",
  },
  {
    inputs: [],
    name: "decimals",
    outputs: [
      {
        internalType: "uint8",
        name: "",
        type: "uint8",
      },
    ],
    stateMutability: "view",
    type: "function",
  },
  {
    inputs: [],
    name: "name",
    outputs: [
      {
        internalType: "string",
        name: "",
        type: "string",
      },
    ],
    stateMutability: "view",
    type: "function",
  },
  {
    inputs: [],
    name: "symbol",
    outputs: [
      {
        internalType: "string",
        name: "",
        type: "string",
      },
    ],
    stateMutability: "view",
    type: "function",
  },
  {
    inputs: [],
    name: "totalSupply",
    outputs: [
      {
        internalType: "uint256",
        name: "",
        type: "uint256",
      },
    ],
    stateMutability: "view",
    type: "function",
  },
  {
    inputs: [
      {
        internalType: "address",
        name: "to",
        type: "address",
      },
      {
        internalType: "uint256",
        name: "value",
        type: "uint256",
      },
    ],
    name: "transfer",
    outputs: [
      {
        internalType: "bool",
        name: "",
        type: "bool",
      },
    ],
    stateMutability: "nonpayable",
    type: "function",
  },
  {
    inputs: [
      {
        internalType: "address",
        name: "from",
        type: "address",
      },
      {
        internalType: "address",
        name: "to",
        type: "address",
      },
      {
        internalType: "uint256",
        name: "value",
        type: "uint256",
      },
    ],
    name: "transferFrom",
    outputs: [
      {
        internalType: "bool",
        name: "",
        type: "bool",
      },
    ],
    stateMutability: "nonpayable",
    type: "function",
  },
] as const;

const BYTECODE = [
  "60a0604052348015600e575f5ffd5b5060405161063e38038061063e833981016040819052602b916076565b608081905233",
  "5f81815260208181526040808320859055518481527fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4d",
  "f523b3ef910160405180910390a350608c565b5f602082840312156085575f5ffd5b5051919050565b60805161059a6100a4",
  "5f395f610102015261059a5ff3fe608060405234801561000f575f5ffd5b5060043610610090575f3560e01c8063313ce567",
  "11610063578063313ce5671461014557806370a082311461015f57806395d89b411461017e578063a9059cbb146101a05780",
  "63dd62ed3e146101b3575f5ffd5b806306fdde0314610094578063095ea7b3146100da57806318160ddd146100fd57806323",
  "b872dd14610132575b5f5ffd5b6100c4604051806040016040528060118152602001702232bb32b637b836b2b73a102a37b5",
  "b2b760791b81525081565b6040516100d19190610450565b60405180910390f35b6100ed6100e83660046104a0565b6101dd",
  "565b60405190151581526020016100d1565b6101247f00000000000000000000000000000000000000000000000000000000",
  "0000000081565b6040519081526020016100d1565b6100ed6101403660046104c8565b610249565b61014d600681565b6040",
  "5160ff90911681526020016100d1565b61012461016d366004610502565b5f6020819052908152604090205481565b6100c4",
  "604051806040016040528060038152602001622222ab60e91b81525081565b6100ed6101ae3660046104a0565b6102f9565b",
  "6101246101c1366004610522565b600160209081525f928352604080842090915290825290205481565b335f818152600160",
  "2090815260408083206001600160a01b038716808552925280832085905551919290917f8c5be1e5ebec7d5bd14f71427d1e",
  "84f3dd0314c0f7b2291e5b200ac8c7c3b925906102379086815260200190565b60405180910390a35060015b92915050565b",
  "6001600160a01b0383165f9081526001602090815260408083203384529091528120548211156102ac5760405162461bcd60",
  "e51b8152602060048201526009602482015268616c6c6f77616e636560b81b60448201526064015b60405180910390fd5b60",
  "01600160a01b0384165f908152600160209081526040808320338452909152812080548492906102de908490610567565b90",
  "9155506102ef905084848461030e565b5060019392505050565b5f61030533848461030e565b50600192915050565b600160",
  "0160a01b0382166103535760405162461bcd60e51b815260206004820152600c60248201526b7a65726f2061646472657373",
  "60a01b60448201526064016102a3565b6001600160a01b0383165f908152602081905260409020548111156103a457604051",
  "62461bcd60e51b815260206004820152600760248201526662616c616e636560c81b60448201526064016102a3565b600160",
  "0160a01b0383165f90815260208190526040812080548392906103cb908490610567565b90915550506001600160a01b0382",
  "165f90815260208190526040812080548392906103f790849061057a565b92505081905550816001600160a01b0316836001",
  "600160a01b03167fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef83604051610443918152",
  "60200190565b60405180910390a3505050565b602081525f82518060208401528060208501604085015e5f60408285010152",
  "6040601f19601f83011684010191505092915050565b80356001600160a01b038116811461049b575f5ffd5b919050565b5f",
  "5f604083850312156104b1575f5ffd5b6104ba83610485565b946020939093013593505050565b5f5f5f6060848603121561",
  "04da575f5ffd5b6104e384610485565b92506104f160208501610485565b929592945050506040919091013590565b5f6020",
  "8284031215610512575f5ffd5b61051b82610485565b9392505050565b5f5f60408385031215610533575f5ffd5b61053c83",
  "610485565b915061054a60208401610485565b90509250929050565b634e487b7160e01b5f52601160045260245ffd5b8181",
  "038181111561024357610243610553565b808201808211156102435761024361055356fea164736f6c6343000825000a",
].join("");

export const DEVELOPMENT_TOKEN_BYTECODE = `0x${BYTECODE}` as const;
