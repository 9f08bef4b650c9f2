# Sourced by ./run and ./test: installs what is missing, finds LibTorch, configures and builds.
# Expects $root, the checkout. Every step is skipped when its result is already there.

torch_version=2.13.0            # what goes into the local venv where no LibTorch is found
build=$root/build

say() { printf '%s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

build_packages=(g++ cmake ninja-build ccache mold nlohmann-json3-dev libexpected-dev libzip-dev libcli11-dev
    qt6-base-dev qt6-svg-dev libgl1-mesa-dev graphviz fonts-dejavu-core)
test_packages=(libbenchmark-dev xvfb xauth)

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"
    elif command -v sudo >/dev/null; then sudo "$@"
    else die "Root rights are needed for: $* — run it as root, or install sudo."
    fi
}

# install_packages NAME…: those that are missing, in one call of apt-get.
install_packages() {
    command -v dpkg-query >/dev/null || return 0    # not Debian: CMake says what it does not find
    local installed missing=() name
    installed=" $(dpkg-query -W -f='${db:Status-Abbrev}${Package} ' "$@" 2>/dev/null) "
    for name in "$@"; do
        case $installed in *"ii $name "*) ;; *) missing+=("$name") ;; esac
    done
    [ ${#missing[@]} = 0 ] && return 0
    say "Installing ${missing[*]}"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq >&2
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2 ||
        die "apt-get could not install: ${missing[*]}"
}

# usable_libtorch FOLDER: whether it is LibTorch 2.6 or newer, with headers.
usable_libtorch() {
    local config version
    for config in "$1"/share/cmake/Torch "$1"/lib/cmake/Torch "$1"/lib/*/cmake/Torch; do
        [ -f "$config/TorchConfigVersion.cmake" ] || continue
        version=$(sed -n 's/^set(PACKAGE_VERSION "\([0-9.]*\).*/\1/p' "$config/TorchConfigVersion.cmake")
        [ -f "$1/include/torch/csrc/api/include/torch/version.h" ] &&
            [ "$(printf '2.6\n%s\n' "$version" | sort -V | head -n 1)" = 2.6 ] && return 0
    done
    return 1
}

# torch_folder PYTHON: where that interpreter's torch lies, without importing it.
torch_folder() {
    "$1" -c 'import importlib.util as u; s = u.find_spec("torch"); print(s.submodule_search_locations[0] if s else "")' 2>/dev/null
}

# Sets $libtorch: the first usable of CMAKE_PREFIX_PATH, LIBTORCH, the active python's torch, the local venv, Debian's
# package; else torch is put into the local venv.
find_libtorch() {
    local folder prefixes
    IFS=':;' read -ra prefixes <<<"${CMAKE_PREFIX_PATH:-}"
    for folder in "${prefixes[@]}" "${LIBTORCH:-}" "$(torch_folder python3)" "$root"/.venv/lib/python3*/site-packages/torch /usr; do
        [ -n "$folder" ] && usable_libtorch "$folder" && { libtorch=$folder; return; }
    done
    if apt-cache policy libtorch-dev 2>/dev/null | grep -Eq 'Candidate: (2\.([6-9]|[1-9][0-9])|[3-9])'; then
        install_packages libtorch-dev
        libtorch=/usr
        return
    fi
    say "Putting torch $torch_version into $root/.venv"
    python3 -m venv --help >/dev/null 2>&1 && python3 -c 'import ensurepip' 2>/dev/null || install_packages python3-venv
    [ -x "$root/.venv/bin/pip" ] || python3 -m venv "$root/.venv" || die "python3 could not make $root/.venv"
    "$root/.venv/bin/pip" install --quiet "torch==$torch_version" numpy >&2 || die "pip could not install torch $torch_version."
    libtorch=$(torch_folder "$root/.venv/bin/python")
    usable_libtorch "$libtorch" || die "The torch that pip installed in $root/.venv is not a usable LibTorch."
}

# configure: once; again only when the LibTorch it was configured with is gone.
configure() {
    local cached=
    [ -f "$build/build.ninja" ] && cached=$(sed -n 's/^INSPECTOR_LIBTORCH:PATH=//p' "$build/CMakeCache.txt")
    [ -n "$cached" ] && usable_libtorch "$cached" && return
    find_libtorch
    say "Configuring with LibTorch in $libtorch"
    local log
    log=$(cd "$root" && cmake --preset release --fresh -DINSPECTOR_LIBTORCH="$libtorch" 2>&1) ||
        { printf '%s\n' "$log" >&2; die "CMake could not configure the build."; }
}

# build_targets TARGET…: quiet when there is nothing to do.
build_targets() {
    local log status
    if [ -t 2 ]; then cmake --build "$build" --target "$@" >&2; return; fi
    log=$(cmake --build "$build" --target "$@" 2>&1); status=$?
    [ $status = 0 ] || { printf '%s\n' "$log" >&2; die "The build failed."; }
}
