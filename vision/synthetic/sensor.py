"""From light to a camera's file: lens, exposure, white balance, noise, tone curve, JPEG."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synthetic.texture import in_bgr

Light = NDArray[np.float32]
Photo = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Sensor:
    """A camera's habits. `balance` multiplies linear BGR; `exposure_stops` is its error."""

    balance: tuple[float, float, float]
    exposure_stops: float
    blur_px: float
    vignette: float
    flare: float
    noise: float
    contrast: float
    saturation: float
    sharpen: float
    jpeg_quality: int


def random_sensor(rng: np.random.Generator, lamp_bgr: tuple[float, float, float]) -> Sensor:
    """A phone's or a small camera module's habits under light of a colour.

    Automatic white balance takes out most of the lamp's colour, never all of it.
    """
    corrected = rng.uniform(0.7, 1.0)
    balance = [
        (1.0 / lamp_bgr[i]) ** corrected * float(np.exp(rng.normal(0.0, 0.045))) for i in range(3)
    ]
    return Sensor(
        balance=(balance[0] / balance[1], 1.0, balance[2] / balance[1]),
        exposure_stops=float(rng.normal(0.0, 0.25)),
        blur_px=float(rng.uniform(0.3, 0.95)),
        vignette=float(rng.uniform(0.03, 0.35)),
        flare=float(rng.uniform(0.0, 0.04)),
        noise=float(rng.choice([rng.uniform(0.3, 1.0), rng.uniform(1.0, 3.0)])),
        contrast=float(rng.uniform(0.0, 0.4)),
        saturation=float(rng.uniform(0.9, 1.25)),
        sharpen=float(rng.uniform(0.1, 0.9)),
        jpeg_quality=int(rng.integers(72, 95)),
    )


def develop(rng: np.random.Generator, light: Light, sensor: Sensor, metered: float) -> Photo:
    """The photo, of shape (H, W, 3), uint8, BGR. `metered` is the linear light to show as grey.

    From one photo to the next balance and exposure drift a little, as automatic ones do.
    """
    drift = rng.normal(0.0, (0.007, 0.0, 0.007, 0.05))
    scene = light * (np.array(sensor.balance) * np.exp(drift[:3])).astype(np.float32)
    stops = sensor.exposure_stops + float(drift[3])
    scene *= np.float32(0.3 / max(metered, 1e-3) * 2.0**stops)
    cv2.GaussianBlur(scene, (0, 0), sensor.blur_px, dst=scene)
    if rng.uniform() < 0.3:
        scene = _shaken(rng, scene)
    scene *= in_bgr(_vignette(scene.shape[:2], sensor.vignette))
    scene += np.float32(sensor.flare) * scene.mean(axis=(0, 1))
    _add_noise(rng, scene, sensor.noise)
    picture = _tone(scene, sensor)
    return _through_jpeg(_sharpened(rng, picture, sensor), sensor.jpeg_quality)


def _shaken(rng: np.random.Generator, scene: Light) -> Light:
    """Motion blur of a hand-held exposure."""
    length, way = rng.uniform(0.8, 2.6), rng.uniform(0.0, np.pi)
    kernel = np.zeros((9, 9), np.float32)
    for t in np.linspace(-0.5, 0.5, 41):
        row = round(4 + length * float(t) * float(np.sin(way)))
        kernel[row, round(4 + length * float(t) * float(np.cos(way)))] += 1.0
    return cv2.filter2D(scene, -1, kernel / kernel.sum()).astype(np.float32)


def _vignette(shape: tuple[int, ...], strength: float) -> Light:
    rows = np.linspace(-1.0, 1.0, shape[0], dtype=np.float32)[:, None] ** 2
    columns = np.linspace(-1.0, 1.0, shape[1], dtype=np.float32)[None, :] ** 2
    return np.asarray(1.0 - np.float32(strength) * 0.5 * (rows + columns), np.float32)


def _add_noise(rng: np.random.Generator, scene: Light, level: float) -> None:
    """Shot and read noise, a little correlated as after demosaicing."""
    grain = rng.standard_normal(scene.shape, dtype=np.float32)
    grain = cv2.GaussianBlur(grain, (0, 0), 0.6) * np.float32(1.7)
    spread = cv2.sqrt(np.maximum(scene, 0.0) * np.float32(9e-5) + np.float32(4e-6))
    scene += np.float32(level) * grain * spread


def _tone(scene: Light, sensor: Sensor) -> Photo:
    """Highlights roll off, the curve of screens, a contrast of the camera's own."""
    table = np.arange(4096, dtype=np.float32) / np.float32(4095.0 / 2.0)
    rolled = np.where(table < 0.8, table, 0.8 + 0.2 * (1.0 - np.exp(-(table - 0.8) / 0.2)))
    curve = np.where(
        rolled <= 0.0031308, 12.92 * rolled, 1.055 * np.maximum(rolled, 1e-6) ** (1 / 2.4) - 0.055
    )
    curve = curve + sensor.contrast * (curve * curve * (3.0 - 2.0 * curve) - curve)
    codes = np.clip(curve * 255.0 + 0.5, 0, 255).astype(np.uint8)
    index = np.clip(scene * np.float32(4095.0 / 2.0), 0, 4095).astype(np.uint16)
    return np.asarray(codes[index], np.uint8)


def _sharpened(rng: np.random.Generator, picture: Photo, sensor: Sensor) -> Photo:
    """Chroma denoised, luma sharpened, colours strengthened: what every camera does."""
    luma, red, blue = cv2.split(cv2.cvtColor(picture, cv2.COLOR_BGR2YCrCb))
    soft = float(rng.uniform(0.8, 1.8))
    chroma = [
        cv2.addWeighted(plane, sensor.saturation, plane, 0.0, 128.0 * (1.0 - sensor.saturation))
        for plane in (cv2.GaussianBlur(p, (0, 0), soft) for p in (red, blue))
    ]
    sharp = cv2.addWeighted(
        luma, 1.0 + sensor.sharpen, cv2.GaussianBlur(luma, (0, 0), 1.1), -sensor.sharpen, 0.0
    )
    merged = cv2.merge([sharp, *chroma])
    return np.asarray(cv2.cvtColor(merged, cv2.COLOR_YCrCb2BGR), np.uint8)


def _through_jpeg(picture: Photo, quality: int) -> Photo:
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
