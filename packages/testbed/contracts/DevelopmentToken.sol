// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// A plain ERC-20 for development chains: the deployer gets the whole supply. All that it is given stands in its code, none in
/// its storage, so that its code alone makes a copy of it.
contract DevelopmentToken {
    bytes32 private immutable nameBytes;
    bytes32 private immutable symbolBytes;
    uint8 public immutable decimals;
    uint256 public immutable totalSupply;

    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor(bytes32 ofName, bytes32 ofSymbol, uint8 ofDecimals, uint256 supply) {
        (nameBytes, symbolBytes, decimals, totalSupply) = (ofName, ofSymbol, ofDecimals, supply);
        balanceOf[msg.sender] = supply;
        emit Transfer(address(0), msg.sender, supply);
    }

    function name() external view returns (string memory) {
        return text(nameBytes);
    }

    function symbol() external view returns (string memory) {
        return text(symbolBytes);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        require(allowance[from][msg.sender] >= value, "allowance");
        allowance[from][msg.sender] -= value;
        move(from, to, value);
        return true;
    }

    function move(address from, address to, uint256 value) private {
        require(to != address(0), "zero address");
        require(balanceOf[from] >= value, "balance");
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }

    /// The bytes before the first zero.
    function text(bytes32 padded) private pure returns (string memory) {
        uint256 length = 0;
        while (length < 32 && padded[length] != 0) length++;
        bytes memory bytesOf = new bytes(length);
        for (uint256 index = 0; index < length; index++) bytesOf[index] = padded[index];
        return string(bytesOf);
    }
}
