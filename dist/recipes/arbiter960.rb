# Homebrew: brew install --formula ./arbiter960.rb
class Arbiter960 < Formula
  desc "Tournaments between UCI chess engines, Chess960 first"
  homepage "@ADDRESS@"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "@FILES@/arbiter960-@VERSION@-aarch64-macos.tar.gz"
      sha256 "@SHA256:aarch64-macos.tar.gz@"
    end
    on_intel do
      url "@FILES@/arbiter960-@VERSION@-x86_64-macos.tar.gz"
      sha256 "@SHA256:x86_64-macos.tar.gz@"
    end
  end
  on_linux do
    on_arm do
      url "@FILES@/arbiter960-@VERSION@-aarch64-linux.tar.gz"
      sha256 "@SHA256:aarch64-linux.tar.gz@"
    end
    on_intel do
      url "@FILES@/arbiter960-@VERSION@-x86_64-linux.tar.gz"
      sha256 "@SHA256:x86_64-linux.tar.gz@"
    end
  end

  def install
    bin.install "bin/arbiter960"
    share.install Dir["share/*"]
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/arbiter960 --version")
  end
end
