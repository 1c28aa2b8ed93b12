{
  lib,
  stdenv,
  rustPlatform,
  installShellFiles,
}:

let
  manifest = (builtins.fromTOML (builtins.readFile ../../cli/Cargo.toml)).package;
in
rustPlatform.buildRustPackage {
  pname = "sevenbit";
  inherit (manifest) version;
  src = ../..;
  cargoLock.lockFile = ../../Cargo.lock;
  cargoBuildFlags = [ "--package=sevenbit-cli" ];
  nativeBuildInputs = [ installShellFiles ];
  # The other tests want mail servers, Python and a browser.
  cargoTestFlags = [
    "--package=sevenbit"
    "--lib"
  ];
  postInstall = lib.optionalString (stdenv.buildPlatform.canExecute stdenv.hostPlatform) ''
    $out/bin/sevenbit pages man --all man
    installManPage man/man1/* man/man5/*
    installShellCompletion --cmd sevenbit \
      --bash <($out/bin/sevenbit pages completions bash) \
      --zsh <($out/bin/sevenbit pages completions zsh) \
      --fish <($out/bin/sevenbit pages completions fish)
  '';
  meta = {
    inherit (manifest) description;
    license = with lib.licenses; [
      mit
      asl20
    ];
    mainProgram = "sevenbit";
  };
}
