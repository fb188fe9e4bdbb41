// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

interface Receiver {
    function onERC721Received(address operator, address from, uint256 tokenId, bytes calldata data)
        external
        returns (bytes4);
}

/// A plain ERC-721 for development chains: the deployer gets the tokens 1 to count, and gives others the next ones.
contract DevelopmentCollectible {
    bytes32 private immutable nameBytes;
    bytes32 private immutable symbolBytes;
    address private immutable maker;
    uint256 private latest;

    mapping(uint256 => address) private owners;
    mapping(address => uint256) public balanceOf;
    mapping(uint256 => address) public getApproved;
    mapping(address => mapping(address => bool)) public isApprovedForAll;

    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);
    event Approval(address indexed owner, address indexed approved, uint256 indexed tokenId);
    event ApprovalForAll(address indexed owner, address indexed operator, bool approved);

    constructor(bytes32 ofName, bytes32 ofSymbol, uint256 count) {
        (nameBytes, symbolBytes, maker) = (ofName, ofSymbol, msg.sender);
        make(msg.sender, count);
    }

    /// Gives so many new tokens to an account.
    function mint(address to, uint256 count) external {
        require(msg.sender == maker, "not the maker");
        require(to != address(0), "to nobody");
        make(to, count);
    }

    function name() external view returns (string memory) {
        return text(nameBytes);
    }

    function symbol() external view returns (string memory) {
        return text(symbolBytes);
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd || id == 0x5b5e139f;
    }

    function tokenURI(uint256 tokenId) external view returns (string memory) {
        ownerOf(tokenId);
        return "";
    }

    function ownerOf(uint256 tokenId) public view returns (address owner) {
        owner = owners[tokenId];
        require(owner != address(0), "no such token");
    }

    function approve(address approved, uint256 tokenId) external {
        address owner = ownerOf(tokenId);
        require(msg.sender == owner || isApprovedForAll[owner][msg.sender], "not yours");
        getApproved[tokenId] = approved;
        emit Approval(owner, approved, tokenId);
    }

    function setApprovalForAll(address operator, bool approved) external {
        isApprovedForAll[msg.sender][operator] = approved;
        emit ApprovalForAll(msg.sender, operator, approved);
    }

    function transferFrom(address from, address to, uint256 tokenId) public {
        require(ownerOf(tokenId) == from, "not the owner");
        bool mayMove =
            msg.sender == from || getApproved[tokenId] == msg.sender || isApprovedForAll[from][msg.sender];
        require(mayMove, "not yours");
        require(to != address(0), "to nobody");
        delete getApproved[tokenId];
        balanceOf[from] -= 1;
        balanceOf[to] += 1;
        owners[tokenId] = to;
        emit Transfer(from, to, tokenId);
    }

    function safeTransferFrom(address from, address to, uint256 tokenId) external {
        safeTransferFrom(from, to, tokenId, "");
    }

    function safeTransferFrom(address from, address to, uint256 tokenId, bytes memory data) public {
        transferFrom(from, to, tokenId);
        if (to.code.length == 0) return;
        bytes4 answer = Receiver(to).onERC721Received(msg.sender, from, tokenId, data);
        require(answer == Receiver.onERC721Received.selector, "not a receiver");
    }

    function make(address to, uint256 count) private {
        balanceOf[to] += count;
        for (uint256 made = 0; made < count; made++) {
            latest += 1;
            owners[latest] = to;
            emit Transfer(address(0), to, latest);
        }
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
