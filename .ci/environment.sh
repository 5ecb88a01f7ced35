# Sourced by ./run and ./test: makes .venv from a lock file, and finds or installs Debian packages.
# Idempotent: a stamp in .venv remembers what was installed, so that the second time costs nothing.

say() { printf '%s\n' "$*" >&2; }

# mute program... : Ctrl-C reaches the shell alone, which ends the program without the traceback of Python's answer.
mute() {
    local status=0
    "$@" &
    muted=$!
    wait "$muted" || status=$?
    muted=
    return "$status"
}
trap 'kill "${muted:-}" 2>/dev/null || true; exit 130' INT
trap '[ $? -ne 130 ] || say "Stopped."' EXIT

# has_module python name
has_module() { mute "$1" -c "import sys, importlib.util; sys.exit(importlib.util.find_spec('$2') is None)"; }

die() {
    say "$*"
    exit 2
}

# need_debian "what for" package... : installs the missing ones as root or with sudo, else says what to type.
need_debian() {
    local purpose=$1 missing=() package
    shift
    for package in "$@"; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q '^install ok installed' || missing+=("$package")
    done
    [ ${#missing[@]} -eq 0 ] && return 0
    local sudo=()
    if [ "$(id -u)" -ne 0 ]; then
        if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
            sudo=(sudo -n)
        else
            die "Needed for $purpose and not installed: ${missing[*]}. Please type: sudo apt-get install ${missing[*]}"
        fi
    fi
    say "Installing Debian packages for $purpose: ${missing[*]}"
    "${sudo[@]}" apt-get update -q >&2 || say "The package lists could not be renewed; trying with the old ones."
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}" >&2 ||
        die "Could not install ${missing[*]}. Is there a network? Try: apt-get install ${missing[*]}"
}

# build_kernel : the optional C kernel of sensing, where a C compiler is; it says so itself where it cannot be built.
# Without it everything works, slower. The second time it is there and costs nothing.
build_kernel() {
    mute .venv/bin/python -m companion.compiled || say "No C kernel: sensing works with NumPy, slower."
}

# need_venv lock-file : .venv holds exactly what the lock file names, and this project itself (editable).
need_venv() {
    local lock=$1 stamp wanted
    command -v python3 >/dev/null || need_debian "running Python programs" python3
    mute python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
        die "Python 3.11 or newer is needed; this is $(python3 --version). Debian 12 and Raspberry Pi OS 12 have it."
    if ! has_module python3 ensurepip; then
        need_debian "Python environments" python3-venv
    fi
    stamp=.venv/installed-$(basename "$lock")
    wanted=$(cat "$lock" pyproject.toml | sha256sum; python3 --version; pwd)
    if [ -x .venv/bin/companion ] && [ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ]; then
        build_kernel
        return 0
    fi
    say "Setting up .venv from $lock (a minute or two the first time) ..."
    if [ ! -x .venv/bin/python ] || ! has_module .venv/bin/python pip; then
        rm -rf .venv
        mute python3 -m venv .venv || die "python3 -m venv failed; on Debian: apt-get install python3-venv"
    fi
    rm -f .venv/installed-*
    mute .venv/bin/python -m pip install -q --disable-pip-version-check --require-hashes -r "$lock" ||
        die "Some Python packages could not be installed. Is there a network? Run this again: it goes on where it stopped."
    mute .venv/bin/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e . ||
        die "The project itself could not be installed into .venv; the lines above say why."
    printf '%s' "$wanted" >"$stamp"
    # A larger set holds the smaller one, so that ./run after ./test has nothing to do.
    if [ "$lock" = requirements-dev.lock ]; then
        cat requirements.lock pyproject.toml | sha256sum >.venv/installed-requirements.lock
        { python3 --version; printf '%s' "$(pwd)"; } >>.venv/installed-requirements.lock
    fi
    build_kernel
}
