# `nix run 'REPOSITORY?dir=packaging/recipes' -- normalize in.eml`
{
  description = "Mail in any charset in, normalised 7-bit-safe mail out";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs =
    { self, nixpkgs }:
    let
      systems = [
        "x86_64-linux"
        "aarch64-linux"
        "x86_64-darwin"
        "aarch64-darwin"
      ];
      packages = system: { default = nixpkgs.legacyPackages.${system}.callPackage ./package.nix { }; };
    in
    {
      packages = nixpkgs.lib.genAttrs systems packages;
      checks = self.packages;
    };
}
